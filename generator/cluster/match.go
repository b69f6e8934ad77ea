package cluster

import "path"

// Matches reports whether the override applies to a device.
func (o *Override) Matches(name string) bool {
	ok, err := path.Match(o.Match, name)
	return err == nil && ok
}

// ManagementDeclared reports whether the user wrote the management subnet or gateway.
func (c *Cluster) ManagementDeclared() bool {
	_, subnet := c.positions["management.subnet"]
	_, gateway := c.positions["management.gateway"]
	return subnet || gateway
}
