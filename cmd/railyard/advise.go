package main

import (
	"os"

	"github.com/spf13/cobra"

	"railyard/generator"
	"railyard/generator/advise"
)

func newAdvise() *cobra.Command {
	var format, prices string
	opt := advise.Options{Thresholds: advise.DefaultThresholds(), Design: generator.Design}
	cmd := &cobra.Command{
		Use:   "advise CLUSTER",
		Short: "InfiniBand or RoCE, topology, PCIe and cost, with reasons",
		Long: `advise weighs InfiniBand against RoCE for a cluster by a table of rules, names
the rule that decides and its inputs, the facts that are missing and how to give
them, and every conflict between the rules. It designs the cluster with both
technologies and sets the two side by side.

Prices come from you only: --prices reads lines of item,price[,currency], where
an item is the catalog id of a switch, NIC or optic, or a class: cable-dac-400G,
cable-dac-400G-5m, cable-open-400G (type not declared), optic-400G,
optic-400G-multimode. Where the technologies differ in price, infiniband- or
roce- goes in front of a class: infiniband-optic-400G. No total is claimed while
a price is missing.`,
		Example: `  railyard advise cluster.yaml
  railyard advise cluster.yaml --budget balanced --team ethernet
  railyard advise cluster.yaml --prices prices.csv --format json`,
		Args:              oneCluster,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := read(cmd, args[0], "")
			if err != nil {
				return err
			}
			if prices != "" {
				if opt.Prices, err = openPrices(prices); err != nil {
					return err
				}
			}
			a, err := advise.Advise(in.c, in.fabric, opt)
			if err != nil {
				return err
			}
			if format == "json" {
				return a.JSON(cmd.OutOrStdout())
			}
			return a.Text(cmd.OutOrStdout())
		},
	}
	formatFlag(cmd, &format, "text", "json")
	enumFlag(cmd, &opt.Budget, "budget", advise.Unknown, "budget", "strict", "balanced", "sufficient", advise.Unknown)
	enumFlag(cmd, &opt.Team, "team", advise.Unknown, "what the people who run it know", "ethernet", "infiniband", "none", advise.Unknown)
	truth(cmd, &opt.LargeModels, "large-models", "trains models of 100 billion parameters and more")
	truth(cmd, &opt.MultiVendor, "multi-vendor", "several vendors or local supply are required")
	truth(cmd, &opt.FastStart, "fast-start", "must run soon")
	truth(cmd, &opt.ExistingEthernet, "existing-ethernet", "an Ethernet network that could carry it is there")
	t := &opt.Thresholds
	cmd.Flags().IntVar(&t.FewDozen, "few-dozen", t.FewDozen, "GPUs up to which the rules say a few dozen")
	cmd.Flags().IntVar(&t.Hundreds, "hundreds", t.Hundreds, "GPUs from which the rules say hundreds")
	cmd.Flags().IntVar(&t.Thousands, "thousands", t.Thousands, "GPUs from which the rules say thousands")
	cmd.Flags().IntVar(&t.FewThousand, "few-thousand", t.FewThousand, "GPUs up to which the rules say a few thousand")
	cmd.Flags().StringVar(&opt.OtherSwitch, "other-switch", "", "catalog id of the switch to design the other technology with")
	cmd.Flags().StringVar(&prices, "prices", "", "price list as CSV")
	return cmd
}

func truth(cmd *cobra.Command, value *string, name, usage string) {
	enumFlag(cmd, value, name, advise.Unknown, usage, "yes", "no", advise.Unknown)
}

func openPrices(name string) (*advise.Prices, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return advise.ReadPrices(name, f)
}
