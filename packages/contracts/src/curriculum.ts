import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { maxLengths, Name, Nullable, OneOf, RequiredText, Text, WebUrl } from './text.ts';
import { maxDocuments } from './topic-documents.ts';

/**
 * `curriculum.json`, the format of imports and exports. Items are matched by `externalId`, else by their name below their
 * parent. A field that is left out keeps its value; where an item is created, the fields that a POST requires are required.
 */
export const curriculumVersion = 1;
/** `GET` returns the JSON Schema. */
export const curriculumSchemaPath = '/api/schemas/curriculum.json';
export const gradeLevels = ['primary', 'secondary', 'higher'] as const;

const strict = { additionalProperties: false };

const FilePath = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 1_024,
    pattern: '^(?![/\\\\])(?!.*(?:^|/)\\.{1,2}(?:/|$))[^\\\\]+$',
    description: `${description}: the path of an entry of the archive`,
    examples: ['media/whole-numbers.pdf'],
  });

const item = {
  externalId: Type.Optional(
    Nullable(
      RequiredText(maxLengths.externalId, {
        description: 'An id of your choice, unique in its kind, by which later imports find the item',
        examples: ['math-7'],
      }),
    ),
  ),
  name: Name({ description: 'Unique below its parent' }),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The position among the siblings; a new item without one comes last',
    }),
  ),
  isActive: Type.Optional(Type.Boolean()),
};
const description = Type.Optional(RequiredText(maxLengths.description));
const imageUrl = Type.Optional(Nullable(WebUrl()));
const partial = Type.Optional(
  Type.Boolean({
    description: 'True if the children that follow are not all: a mirror then deletes none of the others',
  }),
);

const CurriculumCaptions = Type.Object(
  {
    language: Type.String({ minLength: 2, maxLength: 35, description: 'BCP 47', examples: ['en'] }),
    file: FilePath('WebVTT or SRT'),
    label: Type.Optional(Text(maxLengths.name)),
    kind: Type.Optional(OneOf(['captions', 'subtitles', 'descriptions', 'chapters'])),
    default: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type CurriculumCaptions = Static<typeof CurriculumCaptions>;

/** How many captions the file of an import may name for a video. */
export const maxCaptions = 100;

const CurriculumVideo = Type.Object(
  { file: FilePath('The video'), captions: Type.Optional(Type.Array(CurriculumCaptions, { maxItems: maxCaptions })) },
  strict,
);
export type CurriculumVideo = Static<typeof CurriculumVideo>;

const CurriculumDocument = Type.Object(
  {
    file: FilePath('The document'),
    name: Type.Optional(Name({ description: 'The name of the file by default' })),
    description: Type.Optional(Text(maxLengths.description)),
  },
  strict,
);
export type CurriculumDocument = Static<typeof CurriculumDocument>;

const topic = {
  ...item,
  description,
  content: Type.Optional(RequiredText(maxLengths.content)),
  video: Type.Optional(Nullable(CurriculumVideo)),
  documents: Type.Optional(Type.Array(CurriculumDocument, { maxItems: maxDocuments })),
};
const subject = {
  ...item,
  description,
  imageUrl,
  mentorEmail: Type.Optional(Nullable(RequiredText(320, { pattern: '^[^\\s@]+@[^\\s@]+$' }))),
  partial,
};
const grade = {
  ...item,
  description: Type.Optional(Text(maxLengths.description)),
  level: Type.Optional(OneOf(gradeLevels)),
  imageUrl,
  partial,
};
const level = { ...item, description, imageUrl, partial };

const Strict = <T extends TProperties>(properties: T) => Type.Object(properties, strict);

/** The items without their children, as they are validated one by one while a file is read. */
export const curriculumItems = {
  level: Strict(level),
  grade: Strict(grade),
  subject: Strict(subject),
  topic: Strict(topic),
};

const CurriculumTopic = Strict(topic);
const CurriculumSubject = Strict({ ...subject, topics: Type.Optional(Type.Array(CurriculumTopic)) });
const CurriculumGrade = Strict({ ...grade, subjects: Type.Optional(Type.Array(CurriculumSubject)) });
const CurriculumLevel = Strict({ ...level, grades: Type.Optional(Type.Array(CurriculumGrade)) });
export type CurriculumTopic = Static<typeof CurriculumTopic>;
export type CurriculumSubject = Static<typeof CurriculumSubject>;
export type CurriculumGrade = Static<typeof CurriculumGrade>;
export type CurriculumLevel = Static<typeof CurriculumLevel>;

export const Curriculum = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: maxLengths.url })),
    version: Type.Literal(curriculumVersion),
    levels: Type.Array(CurriculumLevel),
  },
  {
    ...strict,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Curriculum',
    description:
      'Education levels, grades, subjects and topics, with the videos and documents of an archive. Items are matched by `externalId`, else by their name below their parent. A field that is left out keeps its value; where an item is created, `description` (except for grades), `level` of grades and `content` of topics are required.',
  },
);
export type Curriculum = Static<typeof Curriculum>;
