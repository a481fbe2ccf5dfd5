# By its name, or by the address that its tags hold: estate_cloudwatch_log_group.example.
tofu import estate_cloudwatch_log_group.example /example/application
