package openconfig

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"railyard/vendors/openconfig/oc"
)

// check holds a tree against rules that the models state in words only, and
// that devices enforce (featureprofiles DP-1.3).
func check(dev *oc.Device) error {
	var problems []error
	profiles := dev.GetQos().GetQueueManagementProfiles()
	if profiles == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(profiles.QueueManagementProfile)) {
		c := profiles.QueueManagementProfile[name].GetWred().GetUniform().GetConfig()
		if c == nil {
			continue
		}
		if c.MinThreshold != nil && c.MaxThreshold != nil && *c.MinThreshold > *c.MaxThreshold {
			problems = append(problems, fmt.Errorf("queue management profile %s: min-threshold %d is above max-threshold %d", name, *c.MinThreshold, *c.MaxThreshold))
		}
		if (c.MinThreshold != nil || c.MaxThreshold != nil) && (c.MinThresholdPercent != nil || c.MaxThresholdPercent != nil) {
			problems = append(problems, fmt.Errorf("queue management profile %s: thresholds in bytes and in percent", name))
		}
	}
	return errors.Join(problems...)
}
