// Package faultproxy is an HTTP proxy between an AWS client and an AWS API, for tests. It names each call as IAM
// does ("ec2:CreateVpc"), keeps a journal of all calls, and applies faults to those that a rule selects:
//
//   - the connection is cut before AWS hears of the call ([CutBefore]), after it did the work ([DropAnswer]), or for
//     good, as if the client had been killed ([KillBefore], [KillAfter], [Proxy.Cut]);
//   - the service refuses with its own code: it denies, throttles, finds the credentials expired ([Deny],
//     [Throttle], [PriorRequestNotComplete], [ExpireToken], [Answer]);
//   - nothing comes back, or late ([Hang], [Delay]);
//   - a new object is not seen yet, or not ready yet ([HideNewest], [Pending]);
//   - a listing comes in pages, one of them empty ([Paginate], [EmptyPage]);
//   - a body is rewritten, or a function runs between the work and its answer ([Edit], [EditRequest], [Run]).
//
// [Proxy.AsAWS] makes an emulator answer as AWS where the two are known to differ. The command in cmd/faultproxy
// serves a proxy whose rules are in a file.
//
// It reads the query, EC2 query, JSON 1.x, REST and RPC-v2-CBOR protocols; of the REST services it names the
// operations of S3, Route 53 and Lambda, and calls those of others by method and path. It lacks TLS, streaming
// (bodies are held in memory), HTTP/2 and a check of signatures, and its journal grows without bound. The faults that
// read answers (HideNewest, Pending, Paginate, EmptyPage) know EC2, IAM, S3, Route 53, CloudWatch Logs and the
// tagging API, and no CBOR.
package faultproxy
