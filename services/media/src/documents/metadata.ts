import { maxLengths, Name, Text } from '@lms/contracts/text';
import { parseJson } from '@lms/service/json-body';
import { normalizeStrings } from '@lms/service/normalize-text';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const Metadata = Type.Object({
  name: Type.Optional(Name()),
  description: Type.Optional(Text(maxLengths.description)),
});
type Metadata = Static<typeof Metadata>;

const maxDepth = 32;

/** Reads the `metadata` part: a JSON object, of which only `name` and `description` count. @throws 422 */
export function readMetadata(text: string): Metadata {
  const { value, issues } = normalizeStrings(parse(text), maxDepth);
  const [first, ...rest] = [...issues, ...[...Value.Errors(Metadata, value)].map(toIssue)];
  if (first || !Value.Check(Metadata, value)) throw refuse(first ?? { field: '', message: 'is not valid' }, ...rest);
  return value;
}

function parse(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw refuse({ field: '', message: 'must be a JSON object', value: text });
  }
}

const toIssue = ({ path, message, value }: { path: string; message: string; value: unknown }): FieldIssue => ({
  field: path.split('/').slice(1).join('.'),
  message: message.toLowerCase(),
  value,
});

const refuse = (...issues: [FieldIssue, ...FieldIssue[]]) => {
  const [first, ...rest] = issues;
  const within = (issue: FieldIssue) => ({ ...issue, field: ['metadata', issue.field].filter(Boolean).join('.') });
  return invalid(within(first), ...rest.map(within));
};
