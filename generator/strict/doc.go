// Package strict reads one YAML document into Go structs and accepts nothing
// that a careful reader would not.
//
// yaml.v3 can decode into structs by itself, but it stops being helpful where
// people need help most: it takes the first of two equal keys or the last, it
// lets yes mean true and 010 mean eight, it has no columns, it forgets where a
// value stood as soon as it is decoded, and its first error often hides the
// rest. So strict lets yaml.v3 parse the text into nodes and does everything
// after that itself, in three steps:
//
//   - Parse bounds the input before anything is built from it. It reads at most
//     MaxBytes, insists on UTF-8 text without control characters, and counts the
//     characters that could start a YAML entry, because a node costs some forty
//     times the two bytes that ask for it. Only then does it parse, and it
//     refuses a second document.
//   - Decode walks nodes and struct fields side by side, led by the field's
//     yaml tag. Every key must exist, stand once and hold the right type;
//     scalars become Go values through encoding.TextUnmarshaler or, for numbers,
//     booleans and durations, through the one spelling that cannot be misread.
//     A problem never stops the walk: the field keeps the value it had (its
//     default) and the walk goes on, so all problems come out at once.
//   - The caller's rules (Options) run at each value while its position is at
//     hand, so that a value of the wrong kind, an unknown word and a number out
//     of range look alike to the user.
//
// Aliases are followed, since the repetition that they save is real, but every
// value they stand for counts against a budget, so that a few lines cannot ask for
// a billion values. Merge keys (<<) are refused: they left YAML with version 1.2,
// and what they do is not visible in the place where it takes effect. Explicit
// tags are refused too.
//
// What Decode returns besides the filled struct is the position of every key,
// so that later stages, which know nothing of YAML, can still point at the line
// they complain about.
//
// A field tagged `strict:"secret"` is never quoted in a problem, nor is anything
// below it.
package strict
