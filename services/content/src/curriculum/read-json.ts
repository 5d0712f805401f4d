import { curriculumVersion } from '@lms/contracts/curriculum';
import { Tokenizer, TokenType } from '@streamparser/json';
import { checkItem, error, type Kind, type ReadEntry, type ReadItem } from './read-items.ts';

interface Token {
  token: TokenType;
  value: unknown;
}
type Reader<T> = Generator<undefined, T, Token>;

const children: Record<Kind, { kind: Kind; list: string } | null> = {
  level: { kind: 'grade', list: 'grades' },
  grade: { kind: 'subject', list: 'subjects' },
  subject: { kind: 'topic', list: 'topics' },
  topic: null,
};
const maxDepth = 16;
// The longest text has a million characters, each of up to twelve bytes (a surrogate pair of escapes).
const maxTokenBytes = 13_000_000;
// A topic with all that is allowed has 17,000 tokens, and 15 million UTF-16 code units of text.
const maxOpen = { tokens: 100_000, characters: 16_000_000 };

class NotACurriculum extends Error {
  override name = 'NotACurriculum';
  readonly location: string;
  readonly code: string;
  constructor(message: string, location = '', code = 'INVALID') {
    super(message);
    this.location = location;
    this.code = code;
  }
}

/** How much of the items that have begun and not ended is in memory, and where the last of them is. */
interface Open {
  location: string;
  tokens: number;
  characters: number;
}

/** Reads a `curriculum.json` of any size: only one item at a time is in memory, with its ancestors. */
export async function* readCurriculumJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  let entries: ReadEntry[] = [];
  const open: Open = { location: '', tokens: 0, characters: 0 };
  const document = readDocument((entry) => entries.push(entry), open);
  document.next();
  const tokenizer = new Tokenizer();
  let bytesWithoutToken = 0;
  let isComplete = false;
  tokenizer.onToken = (token) => {
    bytesWithoutToken = 0;
    if (isComplete) throw new NotACurriculum('must be a single JSON value', '', 'INVALID_JSON');
    open.tokens += 1;
    if (typeof token.value === 'string') open.characters += token.value.length;
    if (open.tokens > maxOpen.tokens || open.characters > maxOpen.characters)
      throw new NotACurriculum('has too many values, or too much text', open.location);
    isComplete = document.next(token).done === true;
  };
  try {
    for await (const chunk of bytes) {
      tokenizer.write(chunk);
      bytesWithoutToken += chunk.length;
      if (bytesWithoutToken > maxTokenBytes) throw new NotACurriculum('a text is too long');
      for (const entry of entries) yield* 'severity' in entry ? [entry] : checkItem(entry);
      entries = [];
    }
    if (!tokenizer.isEnded) tokenizer.end();
    if (!isComplete) throw new NotACurriculum('the file ends too early', '', 'INVALID_JSON');
  } catch (cause) {
    yield* entries.filter((entry) => 'severity' in entry);
    if (cause instanceof NotACurriculum) yield error(cause.location, cause.code, cause.message);
    else if (isSyntaxError(cause))
      yield error('', 'INVALID_JSON', `must be JSON in UTF-8: ${cause.message.slice(0, 200)}`);
    else throw cause;
  }
}

const isSyntaxError = (cause: unknown): cause is Error =>
  cause instanceof Error && ['TokenizerError', 'TypeError'].includes(cause.constructor.name);

function* readDocument(emit: (entry: ReadEntry) => void, open: Open): Reader<void> {
  let numbers = 0;
  let hasVersion = false;
  let hasLevels = false;

  function* readItems(kind: Kind, parent: number | null, pointer: string): Reader<void> {
    const before = { ...open };
    for (let index = 0, token = yield; token.token !== TokenType.RIGHT_BRACKET; index += 1) {
      if (index > 0) {
        expect(token, TokenType.COMMA, pointer);
        token = yield;
      }
      const at = `${pointer}/${index}`;
      open.location = at;
      if (token.token === TokenType.LEFT_BRACE) yield* readItem(kind, parent, at);
      else {
        yield* readValue(token, at, 0);
        emit(error(at, 'INVALID', 'must be an object'));
      }
      Object.assign(open, before);
      token = yield;
    }
  }

  function* readItem(kind: Kind, parent: number | null, location: string): Reader<void> {
    numbers += 1;
    const item: ReadItem = {
      ...{ kind, number: numbers, parent, location, fields: {}, defaults: {}, listsChildren: false },
    };
    const child = children[kind];
    yield* readMembers(location, function* (key, token, at) {
      if (key !== child?.list) {
        item.fields[key] = yield* readValue(token, at, 0);
        return;
      }
      item.listsChildren = true;
      if (token.token === TokenType.LEFT_BRACKET) yield* readItems(child.kind, item.number, at);
      else {
        yield* readValue(token, at, 0);
        emit(error(at, 'INVALID', 'must be a list'));
      }
    });
    emit(item);
  }

  function* readMembers(
    location: string,
    onMember: (key: string, token: Token, at: string) => Reader<void>,
  ): Reader<void> {
    const seen = new Set<string>();
    for (let token = yield; token.token !== TokenType.RIGHT_BRACE; token = yield) {
      if (seen.size > 0) {
        expect(token, TokenType.COMMA, location);
        token = yield;
      }
      expect(token, TokenType.STRING, location);
      const key = String(token.value);
      const at = `${location}/${key.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 200)}`;
      if (seen.has(key) || key === '__proto__')
        throw new NotACurriculum('the field is given twice, or not allowed', at);
      seen.add(key);
      expect(yield, TokenType.COLON, at);
      yield* onMember(key, yield, at);
    }
  }

  function* readValue({ token, value }: Token, at: string, depth: number): Reader<unknown> {
    if (depth > maxDepth) throw new NotACurriculum('nests too deep', at);
    if (token === TokenType.LEFT_BRACE) {
      const object: Record<string, unknown> = {};
      yield* readMembers(at, function* (key, member, memberAt) {
        object[key] = yield* readValue(member, memberAt, depth + 1);
      });
      return object;
    }
    if (token !== TokenType.LEFT_BRACKET) {
      const values = [TokenType.STRING, TokenType.NUMBER, TokenType.TRUE, TokenType.FALSE, TokenType.NULL];
      if (!values.includes(token)) throw new NotACurriculum('must be JSON', at, 'INVALID_JSON');
      return value;
    }
    const list: unknown[] = [];
    for (let next = yield; next.token !== TokenType.RIGHT_BRACKET; next = yield) {
      if (list.length > 0) {
        expect(next, TokenType.COMMA, at);
        next = yield;
      }
      list.push(yield* readValue(next, `${at}/${list.length}`, depth + 1));
    }
    return list;
  }

  const first = yield;
  if (first.token !== TokenType.LEFT_BRACE) throw new NotACurriculum('must be an object');
  yield* readMembers('', function* (key, token, at) {
    if (key === 'levels' && token.token === TokenType.LEFT_BRACKET) {
      hasLevels = true;
      yield* readItems('level', null, at);
      return;
    }
    const value = yield* readValue(token, at, 0);
    if (key === 'version') {
      hasVersion = true;
      if (value !== curriculumVersion) emit(error(at, 'UNSUPPORTED_VERSION', `must be ${curriculumVersion}`));
    } else if (key !== '$schema') emit(error(at, 'UNKNOWN_FIELD', 'is not a field of this format'));
  });
  if (!hasVersion) emit(error('/version', 'REQUIRED', 'is required'));
  if (!hasLevels) emit(error('/levels', 'REQUIRED', 'must be a list of levels'));
}

function expect({ token }: Token, expected: TokenType, location: string) {
  if (token !== expected) throw new NotACurriculum('must be JSON', location, 'INVALID_JSON');
}
