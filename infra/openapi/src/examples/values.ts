// The values of one small school, so that the examples of all operations fit together.
import { initialVideoState } from '@lms/contracts/internal/content';

export type Json = Record<string, unknown>;

export const time = (day: string) => `2026-01-${day}T12:00:00.000Z`;
export const checksum = 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

export const ids = {
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
export const fields: Json = {
  ...Object.fromEntries(unset.split(' ').map((name) => [name, null])),
  educationLevelId: ids.level,
  gradeId: ids.grade,
  subjectId: ids.subject,
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

export const document = {
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
export const videoUrl = `http://127.0.0.1:8080/api/education/topics/${ids.topic}/video`;
export const playbackToken = 'q7Yw2pLx9Rk4';
export const playbackUrl = `http://127.0.0.1:8080/api/playback/${playbackToken}`;
export const captionTrack = { language: 'en', label: 'English', kind: 'captions', default: true };
export const video = {
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
export const uploadedVideo = {
  videoUrl,
  video: {
    ...video,
    ...initialVideoState,
  },
};
export const levelText = { name: 'Primary school', description: 'The first years of learning' };
export const gradeText = { name: 'Grade 5', description: 'Ten to eleven years old', level: 'primary' };
export const subjectText = { name: 'Mathematics', description: 'Numbers, fractions and shapes' };
export const topicText = { name: 'Whole numbers', description: 'Counting, ordering, the number line' };
export const content =
  'Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.';
const subject = { id: ids.subject, name: subjectText.name, gradeId: ids.grade };
const user = { id: ids.user, email: 'learner@lms.test', firstName: 'Lea', lastName: 'Learner' };
const role = { id: ids.role, assignedBy: null };
export const application = {
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
export const approved = { status: 'APPROVED', decidedAt: time('11'), decidedBy: ids.admin };
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

export const noCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0, media: 0 };
export const curriculumImport = {
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
export const titled: Record<string, Json> = {
  EducationLevel: { id: ids.level, ...levelText },
  Grade: { id: ids.grade, ...gradeText },
  Subject: { id: ids.subject, ...subjectText },
  Topic: {
    ...topicText,
    content,
    contentOmitted: undefined,
    video,
    videoUrl,
    documents: [document],
    access: { granted: true, reason: null },
  },
  TopicOutline: { ...topicText, access: { granted: false, reason: 'ENROLLMENT_REQUIRED' } },
  Deletion: { id: ids.level, deletedAt: time('20'), deleted: { grades: 2, subjects: 4, topics: 12 } },
  TreeLevel: {
    id: ids.level,
    name: levelText.name,
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
  Pagination: { limit: 20, hasNext: false, hasPrev: false },
};
