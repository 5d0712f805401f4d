type Json = Record<string, unknown>;

const time = (day: string) => `2026-01-${day}T12:00:00.000Z`;
const checksum = 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** The ids of one small school, so that the examples of all operations fit together. */
const ids = {
  level: 'lv4a98xxat96iws9zmbrgj3a',
  grade: 'gr7k20bqpd15nxe3ywtcfu8h',
  subject: 's5w8r2k6d0p3n7h1v4m9c2xq',
  topic: 'tz4a98xxat96iws9zmbrgj3a',
  nextTopic: 'tb8n31vcqe07kys5djwmhr2f',
  user: 'us3f67gmzk42tbx8vqpcnd1y',
  admin: 'ad9j15wkrh83cme6sxtzgb4u',
  role: 'rl2p48dnyv60fqj7hbkcxw5g',
  enrollment: 'en6t93ksbm27gxc1wrvqzf0d',
  application: 'ma1h74rtwc59vkd8pjngbe2z',
  note: 'nt5c82hjqx36ydw0mzfkrv7b',
  video: 'vd8m20gtfk61zbr4xcwnpe9j',
  document: 'dc3r56vxhw90qmk7tbjygf1n',
  import: 'im6k93ksbm27gxc1wrvqzf0d',
  audit: 'au7b41zdpn85xhs2kfrcwm6q',
  upload: 'up6c93wkrt20fjx5bvqznm8d',
};

/** The names of fields that have no value yet, unless the object says otherwise. */
const unset =
  'decidedBy decidedAt decisionReason endedAt endedBy endReason expiresAt deletedAt effectiveEndDate imageUrl statusReason mentorEmail';

/** Fields that have the same value wherever they appear, unless the object says otherwise. */
const fields: Json = {
  ...Object.fromEntries(unset.split(' ').map((name) => [name, null])),
  educationLevelId: ids.level,
  gradeId: ids.grade,
  subjectId: ids.subject,
  topicId: ids.topic,
  nextTopicId: ids.nextTopic,
  userId: ids.user,
  actorId: ids.admin,
  effectiveStartDate: time('05'),
  requestedAt: time('10'),
  createdAt: time('10'),
  updatedAt: time('12'),
  uploadedAt: time('12'),
  position: 0,
  identityProviderId: 'user_2b1c',
  email: 'learner@lms.test',
  firstName: 'Lea',
  lastName: 'Learner',
  mentorId: 'user_9k4d',
  message: 'I would like to learn this.',
  requestId: '7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10',
  positionSeconds: 90,
  furthestSeconds: 240,
  durationSeconds: 600,
};

const document = {
  id: ids.document,
  name: 'Whole numbers',
  description: 'The exercises of this topic',
  key: 'documents/dc3r56vxhw90qmk7tbjygf1n',
  fileName: 'whole-numbers.pdf',
  mimeType: 'application/pdf',
  size: 48_213,
  checksum,
  url: 'http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n',
  uploadedBy: ids.admin,
  uploadedAt: time('12'),
};
const videoUrl = `http://127.0.0.1:8080/api/education/topics/${ids.topic}/video`;
const playbackToken = 'q7Yw2pLx9Rk4';
const playbackUrl = `http://127.0.0.1:8080/api/playback/${playbackToken}`;
const captionTrack = { language: 'en', label: 'English', kind: 'captions', default: true };
const video = {
  id: ids.video,
  fileName: 'number-line.mp4',
  mimeType: 'video/mp4',
  size: 1_048_576,
  checksum,
  uploadedAt: time('12'),
  durationSeconds: 600,
  width: 1_280,
  height: 720,
  hasAudio: true,
  status: 'ready',
  renditions: [{ height: 720, bandwidth: 2_900_000 }],
  captions: [captionTrack],
};
const levelText = { name: 'Primary school', description: 'The first years of learning' };
const gradeText = { name: 'Grade 5', description: 'Ten to eleven years old', level: 'primary' };
const subjectText = { name: 'Mathematics', description: 'Numbers, fractions and shapes' };
const topicText = { name: 'Whole numbers', description: 'Counting, ordering, the number line' };
const content = 'Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.';
const subject = { id: ids.subject, name: subjectText.name, gradeId: ids.grade };
const user = { id: ids.user, email: 'learner@lms.test', firstName: 'Lea', lastName: 'Learner' };
const role = { id: ids.role, assignedBy: null };
const application = {
  id: ids.application,
  motivation: 'I have taught mathematics for nine years.',
  experience: 'Secondary school, years 7 to 10',
  qualifications: 'MSc Mathematics',
  subjectIds: [ids.subject],
  reviewedBy: null,
  reviewedAt: null,
  reviewNote: null,
  user,
};
const progress = { total: 3, completed: 1, percent: 33 };
const enrollment = { id: ids.enrollment, subject, user };
const approved = { status: 'APPROVED', decidedAt: time('11'), decidedBy: ids.admin };
const topics = [
  {
    topicId: ids.topic,
    completed: true,
    completedAt: time('14'),
    positionSeconds: 600,
    furthestSeconds: 600,
    durationSeconds: 600,
  },
];

const noCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0, media: 0 };
const curriculumImport = {
  id: ids.import,
  status: 'completed',
  mode: 'upsert',
  counts: { created: 12, updated: 2, unchanged: 30, deleted: 0, media: 4 },
  issues: [
    {
      severity: 'warning',
      pointer: '/levels/0/grades/0/subjects/0/topics/3/video/file',
      code: 'UNSUPPORTED_FORMAT',
      message: 'Unsupported video format: the content of the file does not match its extension',
    },
  ],
  issueCount: 1,
  createdBy: ids.admin,
  finishedAt: null,
};

/** Values of the schemas with a title, by property. `GradeWithSubjects` has those of `Grade`. */
const titled: Record<string, Json> = {
  EducationLevel: { id: ids.level, ...levelText },
  Grade: { id: ids.grade, ...gradeText },
  Subject: { id: ids.subject, ...subjectText },
  Topic: {
    id: ids.topic,
    ...topicText,
    content,
    contentOmitted: undefined,
    video,
    videoUrl,
    documents: [document],
    documentCount: 1,
    access: { granted: true, reason: null },
  },
  TopicOutline: {
    id: ids.topic,
    ...topicText,
    documentCount: 1,
    access: { granted: false, reason: 'ENROLLMENT_REQUIRED' },
  },
  Deletion: { id: ids.level, deletedAt: time('20'), deleted: { grades: 2, subjects: 4, topics: 12 } },
  TreeLevel: {
    id: ids.level,
    name: levelText.name,
    gradeCount: 1,
    grades: [
      {
        id: ids.grade,
        name: gradeText.name,
        level: 'primary',
        subjectCount: 1,
        subjects: [{ id: ids.subject, name: subjectText.name, topicCount: 3 }],
      },
    ],
  },
  SearchHit: {
    type: 'topic',
    id: ids.topic,
    ...topicText,
    path: [
      { type: 'level', id: ids.level, name: levelText.name },
      { type: 'grade', id: ids.grade, name: gradeText.name },
      { type: 'subject', id: ids.subject, name: subjectText.name },
    ],
  },
  User: { id: ids.user },
  UserRole: role,
  AuditEntry: {
    id: ids.audit,
    action: 'user.updated',
    entity: 'user',
    entityId: ids.user,
    changes: { plan: { from: 'FREE', to: 'PRO' } },
  },
  MentorApplication: application,
  MentorSubmission: application,
  Enrollment: enrollment,
  AdminEnrollment: enrollment,
  Learner: {
    user,
    enrollment: {
      id: ids.enrollment,
      status: 'APPROVED',
      requestedAt: time('10'),
      decidedAt: time('11'),
      expiresAt: null,
      endedAt: null,
    },
    progress,
  },
  SubjectProgress: { ...progress, topics },
  LearnedSubject: { ...progress, topics, subject },
  TopicProgress: { completed: false, completedAt: null },
  Note: { id: ids.note, content: 'Every number has a successor.' },
  Pagination: { page: 1, limit: 20, total: 1, pages: 1, hasNext: false, hasPrev: false },
};

interface OperationExample {
  /** The body of the request. */
  request?: Json;
  /** Values in the `data` of the response. */
  response?: Json;
  /** The `data` itself, of the one list whose items differ. */
  data?: unknown;
  /** The CSV file of the request or of the response. */
  csv?: string;
  /** The parts of a form, where a JSON body is accepted too. */
  form?: Json;
}

const reorder = (parentId: string | null, ...children: string[]) => ({
  request: { parentId, ids: children },
  response: { parentId, ids: children },
});
const reviewed = (status: string, reviewNote: string) => ({
  ...{ status, reviewedBy: ids.admin, reviewedAt: time('12'), reviewNote },
});
const decided = (status: string, more: Json = {}) => ({ ...approved, status, ...more });

const uploadedVideo = {
  videoUrl,
  video: {
    ...video,
    durationSeconds: null,
    width: null,
    height: null,
    hasAudio: null,
    status: 'none',
    renditions: [],
    captions: [],
  },
};
const uploadProgress = { id: ids.upload, offset: 0, length: 1_048_576, expiresAt: time('13') };

/** Values that depend on the operation. */
const completedExport = {
  ...{ status: 'completed', rootType: 'subject', rootId: ids.subject, size: 1_048_576, error: null },
  checksum: `sha256:${'0123456789abcdef'.repeat(4)}`,
  downloadUrl: `http://127.0.0.1:8080/api/education/exports/${ids.enrollment}/download?token=1769860800000.signature`,
  ...{ expiresAt: time('13'), availableUntil: time('20'), createdBy: ids.admin },
};

const operations: Record<string, OperationExample> = {
  syncUser: {
    request: { userId: 'user_2b1c', email: 'learner@lms.test', firstName: 'Lea', lastName: 'Learner' },
    response: { id: ids.user },
  },
  updateProfile: { request: { firstName: 'Lea', lastName: 'Learner' } },
  exportProfile: {
    response: {
      mentorApplications: [],
      changes: [],
      content: { subjects: [] },
      media: { uploads: [] },
      enrollment: { enrollments: [], progress: [], notes: [] },
    },
  },
  getUsage: {
    response: {
      period: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
      apiCalls: { used: 214, limit: 1_000 },
      uploads: { used: 3, limit: 10 },
    },
  },
  createExport: {
    request: { format: 'zip', rootType: 'subject', rootId: ids.subject, includeMedia: true },
    response: {
      ...{ status: 'queued', percent: 0, size: null, checksum: null, error: null, downloadUrl: null },
      ...{ rootType: 'subject', rootId: ids.subject, availableUntil: null, finishedAt: null, createdBy: ids.admin },
    },
  },
  getExport: { response: completedExport },
  listExports: { response: completedExport },
  createLevel: { request: levelText },
  createGrade: { request: { ...gradeText, educationLevelId: ids.level } },
  createSubject: { request: { ...subjectText, gradeId: ids.grade } },
  createTopic: { request: { ...topicText, content, subjectId: ids.subject } },
  updateLevel: { request: { description: levelText.description } },
  updateGrade: { request: { description: gradeText.description } },
  updateSubject: { request: { description: subjectText.description } },
  updateTopic: { request: { content } },
  reorderLevels: reorder(null, ids.level),
  reorderGrades: reorder(ids.level, ids.grade),
  reorderSubjects: reorder(ids.grade, ids.subject),
  reorderTopics: reorder(ids.subject, ids.nextTopic, ids.topic),
  deleteGrade: { response: { id: ids.grade, deleted: { grades: 0, subjects: 2, topics: 6 } } },
  deleteSubject: { response: { id: ids.subject, deleted: { grades: 0, subjects: 0, topics: 3 } } },
  deleteTopic: { response: { id: ids.topic, deleted: { grades: 0, subjects: 0, topics: 0 } } },
  assignSubjectMentor: {
    request: { mentorId: 'user_9k4d', mentorEmail: 'mentor@lms.test' },
    response: { mentorEmail: 'mentor@lms.test' },
  },
  replaceVideo: { request: { video: 'number-line.mp4' }, response: uploadedVideo },
  createVideoUpload: { response: uploadProgress },
  getVideoUploadResult: { response: { ...uploadedVideo, ...uploadProgress, status: 'received' } },
  createDocumentUpload: { response: uploadProgress },
  getDocumentUploadResult: { response: { ...document, ...uploadProgress, id: ids.document, status: 'received' } },
  uploadCaptions: {
    request: { captions: 'number-line.vtt', label: 'English', kind: 'captions', default: 'true' },
    response: { ...captionTrack, url: `${videoUrl}/captions/en`, checksum: checksum.replace('sha256:', '') },
  },
  removeCaptions: { response: { language: 'en' } },
  removeVideo: { response: { id: ids.video } },
  openPlayback: {
    response: {
      url: `${videoUrl}?playback=${playbackToken}`,
      expiresAt: time('12'),
      hls: `${playbackUrl}/master.m3u8`,
      poster: `${playbackUrl}/poster.jpg`,
      thumbnails: `${playbackUrl}/thumbnails.vtt`,
      captions: [{ ...captionTrack, url: `${playbackUrl}/captions/en.vtt` }],
    },
  },
  createImport: {
    request: {
      version: 1,
      levels: [
        {
          externalId: 'primary',
          ...levelText,
          grades: [{ ...gradeText, subjects: [{ ...subjectText, topics: [{ ...topicText, content }] }] }],
        },
      ],
    },
    form: { file: 'course.zip' },
    response: { ...curriculumImport, status: 'queued', percent: 0, counts: noCounts, issues: [], issueCount: 0 },
  },
  listImports: { response: curriculumImport },
  getImport: { response: curriculumImport },
  cancelImport: { response: { ...curriculumImport, status: 'importing', percent: 71 } },
  uploadDocument: {
    request: {
      topicId: ids.topic,
      metadata: '{"name":"Whole numbers","description":"The exercises of this topic"}',
      file: 'whole-numbers.pdf',
    },
    response: document,
  },
  removeDocument: { response: { id: ids.document } },
  requestEnrollment: { request: { subjectId: ids.subject, message: 'I would like to learn this.' } },
  cancelEnrollment: { response: { status: 'CANCELLED', endedAt: time('12'), endedBy: ids.user } },
  withdrawEnrollment: { response: decided('WITHDRAWN', { endedAt: time('20'), endedBy: ids.user }) },
  getEnrollment: { response: approved },
  enrollUser: {
    request: { userId: ids.user, subjectId: ids.subject, expiresAt: '2099-12-31T23:59:59.999Z' },
    response: { ...approved, source: 'ADMIN', expiresAt: '2099-12-31T23:59:59.999Z', message: null },
  },
  approveEnrollment: {
    request: { expiresAt: '2099-12-31T23:59:59.999Z' },
    response: { ...approved, expiresAt: '2099-12-31T23:59:59.999Z' },
  },
  rejectEnrollment: {
    request: { reason: 'The course is full.' },
    response: decided('REJECTED', { decisionReason: 'The course is full.' }),
  },
  decideEnrollments: {
    request: { action: 'approve', ids: [ids.enrollment, 'unknown'] },
    data: [
      { id: ids.enrollment, ok: true },
      { id: 'unknown', ok: false, code: 'NOT_FOUND', error: 'Enrollment not found' },
    ],
  },
  revokeEnrollment: {
    request: { reason: 'Left the school.' },
    response: decided('REVOKED', { endedAt: time('20'), endedBy: ids.admin, endReason: 'Left the school.' }),
  },
  importRoster: {
    request: { file: 'roster.csv' },
    csv: 'email,subjectExternalId,expiresAt\r\nlearner@lms.test,algebra-1,2099-12-31\r\nunknown@lms.test,algebra-1,\r\n',
    response: {
      dryRun: false,
      counts: { lines: 2, created: 1, approved: 0, unchanged: 0, failed: 1 },
      results: [
        { line: 2, ok: true, status: 'created', enrollmentId: ids.enrollment },
        { line: 3, ok: false, code: 'NOT_FOUND', error: 'User not found' },
      ],
    },
  },
  exportEnrollments: {
    csv: `email,userId,subjectId,expiresAt,firstName,lastName\r\nlearner@lms.test,${ids.user},${ids.subject},,Lea,Learner\r\n`,
  },
  exportLearners: {
    csv: `email,firstName,lastName,userId\r\nlearner@lms.test,Lea,Learner,${ids.user}\r\n`,
  },
  writeNote: { request: { content: 'Every number has a successor.', positionSeconds: 90 } },
  changeNote: { request: { content: 'Every natural number has a successor.' } },
  removeNote: { response: { id: ids.note } },
  keepPosition: { request: { positionSeconds: 90, durationSeconds: 600 } },
  completeTopic: { response: { completed: true, completedAt: time('14') } },
  applyAsMentor: {
    request: {
      motivation: application.motivation,
      qualifications: application.qualifications,
      subjectIds: [ids.subject],
    },
  },
  withdrawMentorApplication: { response: { status: 'WITHDRAWN' } },
  approveMentorApplication: {
    request: { note: 'Welcome!' },
    response: reviewed('APPROVED', 'Welcome!'),
  },
  rejectMentorApplication: {
    request: { reason: 'Please apply again with your certificates.' },
    response: reviewed('REJECTED', 'Please apply again with your certificates.'),
  },
  updateUser: { request: { plan: 'PRO' }, response: { plan: 'PRO' } },
  assignRole: { request: { role: 'MENTOR' }, response: { role: 'MENTOR', assignedBy: ids.admin } },
  endRole: {
    request: { role: 'MENTOR' },
    response: { role: 'MENTOR', assignedBy: ids.admin, isActive: false, effectiveEndDate: time('20') },
  },
  anonymizeUser: {
    response: {
      identityProviderId: null,
      email: `anonymized-${ids.user}@invalid`,
      emailVerified: false,
      firstName: null,
      lastName: null,
      status: 'INACTIVE',
      roles: [],
      userRoles: [],
    },
  },
  receiveWebhook: {
    request: {
      type: 'user.created',
      data: { id: 'user_2b1c', email_addresses: [{ email_address: 'learner@lms.test' }], first_name: 'Lea' },
    },
  },
};

/** An example of the body of a request. @throws if an operation with a body has none */
export function requestExample(operationId: string, type = 'application/json'): unknown {
  const { request, form, csv } = operations[operationId] ?? {};
  const example = { 'text/csv': csv, 'multipart/form-data': form }[type] ?? request;
  if (!example) throw new Error(`${operationId} has no example of its body: infra/openapi/src/examples.ts`);
  return example;
}

/** An example of a successful response, made from its schema and the values above. */
export function responseExample(operationId: string, schema: unknown, type = 'application/json'): unknown {
  const own = operations[operationId];
  if (type === 'text/csv') return own?.csv;
  const { data, message, ...rest } = Object(Object(schema).properties);
  const others = Object.entries(rest).map(([name, property]) => [name, exampleOf(property, name)]);
  const text = Object(message).examples?.[0];
  return {
    ...Object.fromEntries(others),
    data: own?.data ?? exampleOf(data, '', own?.response),
    ...(text !== undefined && { message: text }),
  };
}

function exampleOf(schema: unknown, name: string, values: Json = {}): unknown {
  const { title, type, properties, items, anyOf, enum: words, const: only, examples, format } = Object(schema);
  if (only !== undefined) return only;
  if (properties) return objectExample(properties, { ...titled[String(title).replace(/With.*/, '')], ...values });
  if (type === 'array') return [exampleOf(items, name, values)];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], name, values);
  if (Object.hasOwn(fields, name) && fits(fields[name], schema)) return fields[name];
  if (words) return words[0];
  if (examples) return examples[0];
  if (format === 'date-time') return time('12');
  const samples: Json = { string: 'text', integer: 1, number: 1, boolean: true };
  return samples[Array.isArray(type) ? type[0] : type] ?? null;
}

const objectExample = (properties: Json, values: Json): Json =>
  Object.fromEntries(
    Object.entries(properties)
      .map(([name, property]) => [name, Object.hasOwn(values, name) ? values[name] : exampleOf(property, name)])
      .filter(([, value]) => value !== undefined),
  );

const fits = (value: unknown, schema: unknown) => {
  const { enum: words } = Object(schema);
  return !Array.isArray(words) || words.includes(value);
};
