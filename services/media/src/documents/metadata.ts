import { isId } from '@lms/contracts/ids';
import { maxLengths, Name, Text } from '@lms/contracts/text';
import { parseJson } from '@lms/service/json-body';
import { cut, normalizeStrings } from '@lms/service/normalize-text';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { createCheck } from '@lms/service/validation';
import { type Static, Type } from '@sinclair/typebox';
import { TopicNotFound } from './errors.ts';

const Metadata = Type.Object({
  name: Type.Optional(Name()),
  description: Type.Optional(Text(maxLengths.description)),
});
type Metadata = Static<typeof Metadata>;
const check = createCheck(Metadata);

const maxDepth = 32;

/** Parses the `metadata` part: a JSON object of which only `name` and `description` are used. @throws 422 */
export const parseMetadata = (text: string): Metadata => checkMetadata(parseText(text));

/** @throws 422 */
export function checkMetadata(metadata: unknown): Metadata {
  const { value, issues } = normalizeStrings(metadata, maxDepth);
  const [first, ...rest] = [...issues, ...check.issuesOf(value)];
  if (first || !check.isValid(value)) throw invalidMetadata(first ?? { field: '', message: 'is not valid' }, ...rest);
  return value;
}

function parseText(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw invalidMetadata({ field: '', message: 'must be a JSON object', value: text });
  }
}

const invalidMetadata = (first: FieldIssue, ...rest: FieldIssue[]) => {
  const prefixed = (issue: FieldIssue) => ({ ...issue, field: ['metadata', issue.field].filter(Boolean).join('.') });
  return invalid(prefixed(first), ...rest.map(prefixed));
};

/** The name of a document that was sent without one. */
export const nameOf = (fileName: string) => cut(fileName, maxLengths.name).trim();

/** @throws 422 or 404 */
export function parseTopicId(text: string): string {
  const topicId = text.trim();
  if (topicId === '') throw invalid({ field: 'topicId', message: 'is required', value: text });
  if (!isId(topicId)) throw new TopicNotFound();
  return topicId;
}
