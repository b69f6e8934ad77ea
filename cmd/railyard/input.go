package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors"
)

// flagsFromEnvironment gives every flag its twin RAILYARD_NAME.
func flagsFromEnvironment(cmd *cobra.Command) error {
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "RAILYARD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || f.Changed || err != nil || f.Name == "help" {
			return
		}
		if e := cmd.Flags().Set(f.Name, value); e != nil {
			err = fmt.Errorf("%s: %w", name, e)
		}
	})
	return err
}

// input is a cluster file read, designed and checked.
type input struct {
	digest string // hex SHA-256 of the file
	fabric *fabric.Fabric
	set    *vendors.Set
	c      *cluster.Cluster
	folder string // of the cluster file; "" for stdin
}

// read loads and designs the cluster file of the first argument; "-" is stdin.
func read(cmd *cobra.Command, file, templates string) (*input, error) {
	in := &input{}
	sum := sha256.New()
	c, err := in.load(cmd, file, sum)
	if err != nil {
		return nil, err
	}
	in.c, in.digest = c, hex.EncodeToString(sum.Sum(nil))
	var overlay fs.FS
	if templates != "" {
		root, err := os.OpenRoot(templates)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		overlay = root.FS()
	}
	if in.set, err = vendors.Load(overlay); err != nil {
		return nil, err
	}
	if in.fabric, err = generator.Design(c); err != nil {
		return nil, err
	}
	in.set.NamePorts(in.fabric)
	in.fabric.Findings = append(in.fabric.Findings, in.set.Check(in.fabric)...)
	lines, err := in.set.CheckTemplates(cmd.Context(), in.fabric)
	if err != nil {
		return nil, err
	}
	in.fabric.Findings = append(in.fabric.Findings, lines...)
	generator.SortFindings(in.fabric.Findings)
	return in, nil
}

func (in *input) load(cmd *cobra.Command, file string, sum io.Writer) (*cluster.Cluster, error) {
	if file == "-" {
		return cluster.Load("stdin", io.TeeReader(cmd.InOrStdin(), sum), nil)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in.folder = filepath.Dir(file)
	root, err := os.OpenRoot(in.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return cluster.Load(file, io.TeeReader(f, sum), root.FS())
}

// secret fetches a secret; files are relative to the cluster file.
func (in *input) secret(s fabric.Secret) (string, error) {
	if s.Env != "" {
		v := os.Getenv(s.Env)
		if v == "" {
			return "", fmt.Errorf("the environment variable %s is empty or not set, but management.users needs it", s.Env)
		}
		return v, nil
	}
	name := s.File
	if !filepath.IsAbs(name) {
		name = filepath.Join(in.folder, name)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return "", err
	}
	if body = bytes.TrimSpace(body); len(body) == 0 {
		return "", fmt.Errorf("%s: the secret file is empty", s.File)
	}
	return string(body), nil
}

// oneCluster is the argument rule of commands that take a cluster file.
func oneCluster(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one cluster file (- for stdin); see %s --help", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}
