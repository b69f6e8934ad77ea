package catalog

import "testing"

func TestRadix(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	// Radix figures of the vendors' data sheets as the catalog's sources give them.
	for _, tc := range []struct {
		id           string
		speed, radix int
	}{
		{"nvidia-qm8700", 200, 40}, {"nvidia-qm9700", 400, 64}, {"nvidia-qm9700", 200, 128}, {"nvidia-q3400-ra", 800, 144},
		{"nvidia-sn5600", 800, 64}, {"nvidia-sn5600", 400, 128}, {"nvidia-sn5600", 200, 256}, {"nvidia-sn5600", 100, 256},
		{"h3c-s9827-128dh", 400, 128}, {"h3c-s9825-64d", 200, 128}, {"h3c-s9855-48cd8d", 100, 48}, {"h3c-s9855-48cd8d", 400, 8},
		{"huawei-ce8851-32cq8dq-p", 100, 32}, {"huawei-ce8851-32cq8dq-p", 200, 32}, {"arista-7060x6-64pe", 100, 512},
		{"celestica-ds5000", 200, 256}, {"arista-7060xe7-64ps", 400, 256}, {"nvidia-qm9700", 800, 0}, {"h3c-s12500ai-128ep-ncfn", 800, 0},
	} {
		s := c.Switch(tc.id)
		if s == nil {
			t.Errorf("%s: unknown", tc.id)
			continue
		}
		if got := s.Radix(tc.speed); got != tc.radix {
			t.Errorf("%s at %dG: radix %d, want %d", tc.id, tc.speed, got, tc.radix)
		}
	}
}
