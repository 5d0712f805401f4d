import {
  application,
  approved,
  captionTrack,
  checksum,
  content,
  curriculumImport,
  document,
  gradeText,
  ids,
  type Json,
  levelText,
  noCounts,
  playbackToken,
  playbackUrl,
  subjectText,
  time,
  topicText,
  uploadedVideo,
  videoUrl,
} from './values.ts';

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

const uploadProgress = { id: ids.upload, offset: 0, length: 1_048_576, expiresAt: time('13') };

const completedExport = {
  ...{ status: 'completed', rootType: 'subject', rootId: ids.subject, size: 1_048_576, error: null },
  checksum: `sha256:${'0123456789abcdef'.repeat(4)}`,
  downloadUrl: `http://127.0.0.1:8080/api/education/exports/${ids.enrollment}/download?token=1769860800000.signature`,
  ...{ expiresAt: time('13'), availableUntil: time('20'), createdBy: ids.admin },
};

/** Values that depend on the operation. */
export const operations: Record<string, OperationExample> = {
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
      ...{ percent: 0, size: null, checksum: null, error: null, downloadUrl: null },
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
