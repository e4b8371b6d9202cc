package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/version"
)

const (
	maxBytes    = folder.MaxBytes
	maxManifest = 4 << 20
	// maxNames is how many tags or packs of a registry are read.
	maxNames = 10_000
	// maxPages is on how many pages they are.
	maxPages = 1000
	// silence is how long a registry may send nothing, and patience how long all answers to
	// a call may take.
	silence  = 30 * time.Second
	patience = 10 * time.Minute
)

// Client gets archives. The zero value keeps them nowhere: Cache is required.
type Client struct {
	// Cache is the folder in which archives are kept; see [NewClient].
	Cache string
	// Silence is how long a registry may send nothing; 30 s by default.
	Silence time.Duration
	// Patience is how long a call may take; 10 minutes by default.
	Patience time.Duration
}

// NewClient returns the client with the cache of the user.
func NewClient() (*Client, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	return &Client{Cache: cache}, nil
}

// within ends a call after the patience of the client.
func (c *Client) within(ctx context.Context) (context.Context, context.CancelFunc) {
	patience := cmp.Or(c.Patience, patience)
	return context.WithTimeoutCause(ctx, patience, fmt.Errorf("%w of %s; try again later, or import the archive as a file", errSlow, patience))
}

// Pull returns the file of a pack's archive, from the cache if the registry has the same. Without
// a version, it returns an error that lists the available versions.
func (c *Client) Pull(ctx context.Context, r Reference) (archive string, err error) {
	ctx, end := c.within(ctx)
	defer end()
	if r.Version == "" {
		versions, err := c.Versions(ctx, r)
		if err != nil {
			return "", err
		}
		return "", fmt.Errorf("name a version of %s: %s:VERSION, with %s", r.Name(), r, diag.Names("", versions))
	}
	at, err := r.try(func(at Reference) (err error) {
		archive, err = c.pull(ctx, at)
		return err
	})
	if isNotFound(err) {
		if versions, otherErr := c.Versions(ctx, r); otherErr == nil {
			return "", fmt.Errorf("%s: there is no version %s. Available: %s", r, r.Version, diag.Quoted(r.Version, versions))
		}
	}
	return archive, said(at, err)
}

// try looks for what a reference names, and if the registry does not have it, in the layout of
// Palette. It returns the reference that the error is about.
func (r Reference) try(look func(Reference) error) (Reference, error) {
	err := look(r)
	if there := r.inLayout(); there != r && isNotFound(err) {
		if other := look(there); !isNotFound(other) {
			return there, other
		}
	}
	return r, err
}

// pull gets the archive of a reference, verifies it, and puts it into the cache.
func (c *Client) pull(ctx context.Context, r Reference) (string, error) {
	repository, err := c.repository(r)
	if err != nil {
		return "", err
	}
	described, body, err := repository.Manifests().FetchReference(ctx, r.Version)
	if err != nil {
		return "", err
	}
	text, err := readAll(body, described)
	if err != nil {
		return "", fmt.Errorf("the manifest: %w", err)
	}
	layer, err := layerOf(text)
	if err != nil {
		return "", err
	}
	archive := c.kept(layer.Digest, r)
	if !c.isWhole(archive, layer.Digest) {
		body, err := repository.Blobs().Fetch(ctx, layer)
		if err != nil {
			return "", err
		}
		text, err := readAll(body, layer)
		if err != nil {
			return "", fmt.Errorf("the archive: %w", err)
		}
		if err := keep(archive, text); err != nil {
			return "", err
		}
	}
	return archive, keep(c.tag(r), []byte(layer.Digest.String()+"\n"))
}

// readAll reads what a descriptor describes, and verifies it.
func readAll(body io.ReadCloser, of ocispec.Descriptor) ([]byte, error) {
	defer body.Close()
	text, err := content.ReadAll(body, of)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("it is cut off before its %d bytes", of.Size)
	case errors.Is(err, content.ErrTrailingData):
		return nil, fmt.Errorf("it has more than its %d bytes", of.Size)
	case errors.Is(err, content.ErrMismatchedDigest):
		return nil, fmt.Errorf("its content does not have the digest %s", of.Digest)
	}
	return text, err
}

// layerOf returns the layer of a manifest that is the archive.
//
//	{"layers": [{"digest": "sha256:…", "size": 20480,
//	  "annotations": {"org.opencontainers.image.title": "vault-0.6.0.tar.gz"}}]}
//
// The title only matters if the manifest has several layers.
func layerOf(text []byte) (ocispec.Descriptor, error) {
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return ocispec.Descriptor{}, fmt.Errorf("the manifest is not JSON: %w", err)
	}
	layers := manifest.Layers
	if len(layers) > 1 {
		layers = slices.DeleteFunc(slices.Clone(layers), func(l ocispec.Descriptor) bool {
			return !strings.HasSuffix(l.Annotations[ocispec.AnnotationTitle], folder.ArchiveSuffix)
		})
	}
	if len(layers) != 1 {
		return ocispec.Descriptor{}, fmt.Errorf("it is not a pack: it has %s; a pack has one, NAME-VERSION%s", diag.Count(len(manifest.Layers), "layer"), folder.ArchiveSuffix)
	}
	if layers[0].Digest.Validate() != nil || layers[0].Digest.Algorithm() != digest.SHA256 {
		return ocispec.Descriptor{}, fmt.Errorf("the digest of the manifest must be sha256, got %q", layers[0].Digest)
	}
	if layers[0].Size > maxBytes {
		return ocispec.Descriptor{}, fmt.Errorf("the archive has %d bytes; at most %d are read", layers[0].Size, maxBytes)
	}
	return layers[0], nil
}

// Versions returns the versions of a pack, the newest first. Tags that are not versions come
// last.
func (c *Client) Versions(ctx context.Context, r Reference) ([]string, error) {
	ctx, end := c.within(ctx)
	defer end()
	var tags []string
	at, err := r.try(func(at Reference) error {
		repository, err := c.repository(at)
		if err != nil {
			return err
		}
		return repository.Tags(ctx, "", bounded(&tags))
	})
	if err != nil {
		return nil, said(Reference{at.Host, at.Path, ""}, err)
	}
	slices.SortStableFunc(tags, func(a, b string) int { // registries list tags by their texts
		left, leftErr := version.Parse(a)
		right, rightErr := version.Parse(b)
		switch {
		case leftErr == nil && rightErr == nil:
			return right.Compare(left)
		case leftErr == nil:
			return -1
		case rightErr == nil:
			return 1
		}
		return 0
	})
	return tags, nil
}

// Packs returns the names of the packs below a base, sorted.
func (c *Client) Packs(ctx context.Context, base Reference) ([]string, error) {
	ctx, end := c.within(ctx)
	defer end()
	host, err := remote.NewRegistry(base.Host)
	if err != nil {
		return nil, err
	}
	if host.Client, host.PlainHTTP, err = c.connect(base.Host); err != nil {
		return nil, err
	}
	var all, names []string
	if err := host.Repositories(ctx, "", bounded(&all)); err != nil {
		return nil, fmt.Errorf("the registry does not list its packs (%w); name one: %s/NAME", said(base, err), base)
	}
	for _, path := range all {
		if name, ok := strings.CutPrefix(path, base.Path+"/"); ok {
			names = append(names, strings.TrimPrefix(name, layout+"/"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// bounded collects names that a registry lists, up to a number of them and of pages.
func bounded(all *[]string) func([]string) error {
	pages := 0
	return func(names []string) error {
		if pages++; pages > maxPages {
			return fmt.Errorf("the registry lists its names on more than %d pages; name what you want instead of listing it", maxPages)
		}
		if *all = append(*all, names...); len(*all) > maxNames {
			return fmt.Errorf("the registry lists more than %d names; name what you want instead of listing it", maxNames)
		}
		return nil
	}
}

// repository returns the client of a repository, with the credentials and the limits of a host.
func (c *Client) repository(r Reference) (*remote.Repository, error) {
	repository, err := remote.NewRepository(r.Host + "/" + r.Path)
	if err != nil {
		return nil, err
	}
	repository.MaxMetadataBytes = maxManifest
	repository.Client, repository.PlainHTTP, err = c.connect(r.Host)
	return repository, err
}

// connect returns how a registry is reached: with Docker's credentials, and over plain HTTP on
// this machine, as Docker does.
func (c *Client) connect(host string) (client *auth.Client, isPlain bool, err error) {
	store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{})
	if err != nil {
		return nil, false, fmt.Errorf("Docker's credentials: %w", err)
	}
	name := (&url.URL{Host: host}).Hostname()
	transport := &http.Client{Transport: &watched{cmp.Or(c.Silence, silence)}, CheckRedirect: checkRedirect}
	return &auth.Client{Client: transport, Credential: credentials.Credential(store), Cache: auth.NewCache()},
		name == "localhost" || net.ParseIP(name).IsLoopback(), nil
}

// isNotFound reports whether the registry does not have what was asked for.
func isNotFound(err error) bool {
	var response *errcode.ErrorResponse
	return errors.Is(err, errdef.ErrNotFound) || errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}

// said words the errors that users can do something about.
func said(r Reference, err error) error {
	var response *errcode.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errSilent):
		return fmt.Errorf("%s: %w", r, errSilent)
	case errors.Is(err, errSlow):
		return fmt.Errorf("%s: %w", r, err)
	case errors.Is(err, context.Canceled):
		return err
	case isNotFound(err):
		return fmt.Errorf("%s: the registry does not have it", r)
	case errors.As(err, &response) && (response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden),
		errors.Is(err, auth.ErrBasicCredentialNotFound):
		return fmt.Errorf("%s: the registry rejects access; log in with docker login %s", r, r.Host)
	}
	return fmt.Errorf("%s: %w", r, err)
}
