package porchcluster

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// Object is a resource of Kubernetes as JSON has it.
type Object map[string]any

// Kind names a kind of resources.
type Kind struct {
	APIVersion, Kind string
}

// The kinds of Porch that tests look at.
var (
	Repositories             = Kind{"config.porch.kpt.dev/v1alpha1", "Repository"}
	PackageVariants          = Kind{"config.porch.kpt.dev/v1alpha1", "PackageVariant"}
	PackageVariantSets       = Kind{"config.porch.kpt.dev/v1alpha2", "PackageVariantSet"}
	PackageRevisions         = Kind{"porch.kpt.dev/v1alpha1", "PackageRevision"}
	PackageRevisionResources = Kind{"porch.kpt.dev/v1alpha1", "PackageRevisionResources"}

	// packageRevs are what Porch stores of each PackageRevision.
	packageRevs = Kind{"config.porch.kpt.dev/v1alpha1", "PackageRev"}
)

// clusterWide are the kinds without namespaces that are used here.
var clusterWide = map[string]bool{"Namespace": true, "CustomResourceDefinition": true, "APIService": true}

// path is the address of a kind in the API. Plurals are regular in all kinds used here.
func (k Kind) path(namespace string) string {
	plural := strings.ToLower(k.Kind)
	switch {
	case strings.HasSuffix(plural, "y"):
		plural = strings.TrimSuffix(plural, "y") + "ies"
	case !strings.HasSuffix(plural, "s"):
		plural += "s"
	}
	root := "/apis/" + k.APIVersion
	if !strings.Contains(k.APIVersion, "/") {
		root = "/api/" + k.APIVersion
	}
	if !clusterWide[k.Kind] {
		root += "/namespaces/" + namespace
	}
	return root + "/" + plural
}

// Client calls the API server of a cluster as its administrator.
type Client struct {
	server, token string
	http          *http.Client
	pause         time.Duration // before a request is sent again
}

func newClient(server, token, ca string) (*Client, error) {
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate", ca)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	return &Client{server, token, &http.Client{Transport: transport}, pause}, nil
}

// StatusError is an answer of the API server that is not a success.
type StatusError struct {
	Code            int
	Reason, Message string
}

func (e *StatusError) Error() string { return fmt.Sprintf("%d %s: %s", e.Code, e.Reason, e.Message) }

// codeOf is the code of an answer that is not a success, 0 for other errors.
func codeOf(err error) int {
	var status *StatusError
	if !errors.As(err, &status) {
		return 0
	}
	return status.Code
}

// isTemporary reports whether a request can be sent again after an error: it was not
// processed, or it changes nothing.
func isTemporary(method string, err error) bool {
	switch codeOf(err) {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusInternalServerError, http.StatusGatewayTimeout:
		return method == http.MethodGet
	}
	return false
}

// do sends a request, and decodes the answer into into if that is not nil. It sends it
// again as long as the server cannot answer, as on a busy machine.
func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte, into any) error {
	for tries := 1; ; tries++ {
		err := c.try(ctx, method, path, contentType, body, into)
		if tries == patience || !isTemporary(method, err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(c.pause):
		}
	}
}

// try sends a request once.
func (c *Client) try(ctx context.Context, method, path, contentType string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.server+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		status := &StatusError{Code: response.StatusCode}
		if json.Unmarshal(text, status) != nil || status.Message == "" {
			status.Reason, status.Message = response.Status, string(text)
		}
		return status
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// Get reads an object into a struct or an Object.
func (c *Client) Get(ctx context.Context, kind Kind, namespace, name string, into any) error {
	return c.do(ctx, http.MethodGet, kind.path(namespace)+"/"+name, "", nil, into)
}

// List reads the objects of a namespace.
func List[T any](ctx context.Context, c *Client, kind Kind, namespace string) ([]T, error) {
	var list struct {
		Items []T `json:"items"`
	}
	err := c.do(ctx, http.MethodGet, kind.path(namespace), "", nil, &list)
	return list.Items, err
}

// Nudge makes what watches an object look at it: it sets an annotation of no meaning.
func (c *Client) Nudge(ctx context.Context, kind Kind, namespace, name string) error {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"example.com/nudge":%q}}}`, time.Now().Format(time.RFC3339Nano))
	return c.do(ctx, http.MethodPatch, kind.path(namespace)+"/"+name, "application/merge-patch+json", []byte(patch), nil)
}

// Delete deletes an object.
func (c *Client) Delete(ctx context.Context, kind Kind, namespace, name string) error {
	return c.do(ctx, http.MethodDelete, kind.path(namespace)+"/"+name, "", nil, nil)
}

// Update replaces an object. It must have the resourceVersion that it was read with.
func (c *Client) Update(ctx context.Context, kind Kind, namespace, name, subresource string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	path := kind.path(namespace) + "/" + name
	if subresource != "" {
		path += "/" + subresource
	}
	return c.do(ctx, http.MethodPut, path, "application/json", text, nil)
}

// Apply creates or changes the objects of YAML documents in a namespace.
func (c *Client) Apply(ctx context.Context, namespace, documents string) error {
	for document := range strings.SplitSeq("\n"+documents, "\n---") {
		var object Object
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return err
		}
		if object == nil {
			continue
		}
		if err := c.ApplyObject(ctx, namespace, object); err != nil {
			return err
		}
	}
	return nil
}

// ApplyObject creates or changes an object, as `kubectl apply --server-side` does.
func (c *Client) ApplyObject(ctx context.Context, namespace string, object Object) error {
	var head struct {
		Kind
		Metadata struct{ Name, Namespace string }
	}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &head)
	}
	if err != nil {
		return err
	}
	if head.Metadata.Namespace != "" {
		namespace = head.Metadata.Namespace
	}
	path := head.path(namespace) + "/" + head.Metadata.Name + "?fieldManager=porchcluster&force=true"
	if err := c.do(ctx, http.MethodPatch, path, "application/apply-patch+yaml", text, nil); err != nil {
		return fmt.Errorf("%s %s: %w", head.Kind.Kind, head.Metadata.Name, err)
	}
	return nil
}
