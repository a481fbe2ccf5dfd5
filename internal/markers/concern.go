package markers

// Concern returns a quick test for a search through many objects. Where it says false of what Observe read, Classify answers
// OtherEstate or OtherAddress; where it says true, Classify has to be asked. The spellings of the address are made once, and
// not for each object.
func (q Question) Concern() func(Observed) bool {
	text := q.Address.String()
	texts := []string{text}
	if a, err := Parse(text); err == nil {
		a.Type = swapPrefix(a.Type)
		texts = append(texts, a.String())
	}
	spellings := map[string]bool{}
	for _, t := range texts {
		spellings[Escape(t)], spellings[escapeOlder(t)], spellings[escapeOldest(t)] = true, true, true
	}
	return func(o Observed) bool {
		return o.Status != StatusMarked || spellings[o.Value] || !q.admits(valueType(o.Value))
	}
}
