package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// TestLinks follows every relative link of the repository's pages, its anchor included. Of others it looks at the form
// alone, since a test that asks other people's servers fails when they do.
func TestLinks(t *testing.T) {
	root := os.DirFS(repository)
	pages := linkedPages(t, root)
	if len(pages) < 10 {
		t.Fatalf("only %d pages were found: %q", len(pages), pages)
	}
	followed := 0
	for _, name := range pages {
		n, dead, err := deadLinks(root, name)
		if err != nil {
			t.Fatal(err)
		}
		followed += n
		for _, d := range dead {
			t.Errorf("%s: %s", name, d)
		}
	}
	if followed < 50 {
		t.Errorf("only %d links were followed", followed)
	}
}

// linkedPages are the Markdown files at the top, and all pages and their templates.
func linkedPages(t *testing.T, root fs.FS) []string {
	t.Helper()
	pages, err := fs.Glob(root, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"docs", "templates"} {
		err := fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				pages = append(pages, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// page is what a Markdown file links to and can be linked by.
type page struct {
	links   []string
	anchors []string
}

var (
	frontMatter = regexp.MustCompile(`(?s)\A---\n.*?\n---\n`)
	htmlID      = regexp.MustCompile(`(?:id|name)="([^"]+)"`)
	// directive is a command of a template; what it renders to is in the page that was generated.
	directive = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// readPage parses a file of Markdown.
func readPage(root fs.FS, name string) (page, error) {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return page{}, err
	}
	source = frontMatter.ReplaceAll(source, nil)
	if strings.HasSuffix(name, ".tmpl") {
		source = directive.ReplaceAll(source, []byte("x"))
	}
	var p page
	seen := map[string]int{}
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.AutoLink:
			p.links = append(p.links, string(n.URL(source)))
		case *ast.Heading:
			p.anchors = append(p.anchors, slug(words(n, source), seen))
		case *ast.RawHTML:
			p.anchors = append(p.anchors, idsIn(n.Segments, source)...)
		case *ast.HTMLBlock:
			p.anchors = append(p.anchors, idsIn(n.Lines(), source)...)
		}
		return ast.WalkContinue, nil
	})
	return p, err
}

// words is the text of a node without its markup.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(source))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(words(c, source))
		}
	}
	return b.String()
}

// slug is the anchor that registries and code hosts give a heading; a second one of the same words gets a number.
func slug(heading string, seen map[string]int) string {
	s := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
	n := seen[s]
	seen[s]++
	if n > 0 {
		s = fmt.Sprintf("%s-%d", s, n)
	}
	return s
}

func idsIn(lines *text.Segments, source []byte) []string {
	var ids []string
	for _, m := range htmlID.FindAllSubmatch(lines.Value(source), -1) {
		ids = append(ids, string(m[1]))
	}
	return ids
}

// deadLinks returns how many links a page has, and what is wrong with those that lead nowhere.
func deadLinks(root fs.FS, name string) (n int, dead []string, err error) {
	p, err := readPage(root, name)
	if err != nil {
		return 0, nil, err
	}
	for _, link := range p.links {
		if why := follow(root, name, link); why != "" {
			dead = append(dead, fmt.Sprintf("the link %s is dead: %s", link, why))
		}
	}
	return len(p.links), dead, nil
}

// follow says why a link leads nowhere, "" when it leads somewhere.
func follow(root fs.FS, from, link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return err.Error()
	case u.Scheme == "https" && u.Host != "", u.Scheme == "mailto":
		return ""
	case u.Scheme != "" || u.Host != "":
		return "it is neither relative nor of https"
	case strings.HasPrefix(u.Path, "/"):
		return "it is absolute, which means another place on each host"
	}
	target := from
	if u.Path != "" {
		// A template links from where its page will be.
		target = path.Join(path.Dir(rendered(from)), u.Path)
	}
	info, err := fs.Stat(root, target)
	if err != nil {
		return "there is no " + target
	}
	if u.Fragment == "" {
		return ""
	}
	if info.IsDir() || !slices.Contains([]string{".md", ".tmpl"}, filepath.Ext(target)) {
		return target + " is no page and has no anchors"
	}
	there, err := readPage(root, target)
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(there.anchors, u.Fragment) {
		return fmt.Sprintf("%s has no anchor %q", target, u.Fragment)
	}
	return ""
}

// rendered is the page that a template becomes; one for all types stands for a page in their folder.
func rendered(name string) string {
	rest, ok := strings.CutPrefix(name, "templates/")
	if !ok {
		return name
	}
	rest = strings.TrimSuffix(rest, ".tmpl")
	if rest == "resources.md" || rest == "data-sources.md" {
		rest = strings.TrimSuffix(rest, ".md") + "/any.md"
	}
	return "docs/" + rest
}

func TestDeadLinksAreFound(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"README.md": "---\ntitle: [x](front.md)\n---\n# A `code` title, twice\n# A `code` title, twice\n" +
			"[a](docs/a.md) [b](docs/a.md#here) [c](#a-code-title-twice-1) [d](https://example.com/x) <https://example.com>\n\n" +
			"```\n[not](a-link.md)\n```\n\n| x |\n|---|\n| [in](docs/none.md) |\n\n" +
			"[e](none.md) [f](#none) [g](docs/a.md#none) [h](http://example.com) [i](/docs/a.md) [j](docs#x) ![k](none.png)\n",
		"docs/a.md":                   "## Elsewhere\n\n<a id=\"here\"></a>\n",
		"docs/guides/g.md":            "# G\n",
		"templates/resources.md.tmpl": "{{ if `[x](y.md)` }}[a](../guides/g.md#g) [b](guides/g.md){{ end }}\n",
	}
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string][]string{
		"README.md": {
			"docs/none.md", "none.md", "#none", "docs/a.md#none", "http://example.com", "/docs/a.md", "docs#x", "none.png",
		},
		"templates/resources.md.tmpl": {"guides/g.md"},
		"docs/a.md":                   nil,
	}
	for name, links := range want {
		_, dead, err := deadLinks(os.DirFS(dir), name)
		if err != nil {
			t.Fatal(err)
		}
		if len(dead) != len(links) {
			t.Errorf("%s: %q, want %q", name, dead, links)
			continue
		}
		for i, link := range links {
			if !strings.HasPrefix(dead[i], "the link "+link+" is dead") {
				t.Errorf("%s: %s, want %s", name, dead[i], link)
			}
		}
	}
}
