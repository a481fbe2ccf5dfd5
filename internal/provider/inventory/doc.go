// Package inventory has the data sources that show an estate as a whole: what lives in an account and whose it is
// (estate_inventory), one object by its address (estate_object), and how what lives agrees with what is declared
// (estate_audit).
//
// Objects of the provider's own types come from their services' listings, and are right as of now. Objects of every other type
// come from the Resource Groups Tagging API, whose index lags: they are marked as not verified, but for those that a Verifier
// knows. Each listing, and each that failed, is named in the result.
//
// The package writes nothing and decides nothing about objects: resources never ask it.
package inventory
