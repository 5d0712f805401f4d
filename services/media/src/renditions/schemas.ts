import { errorResponses, Success } from '@lms/contracts/envelope';
import { idParams } from '@lms/contracts/ids';
import { OneOf, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { processingStatuses } from './table.ts';

export const Processing = Type.Object({
  status: OneOf(processingStatuses, {
    description:
      '`none` without a video, and until a worker has seen it, which is always where videos are not processed',
  }),
  percent: Type.Integer({ minimum: 0, maximum: 100, examples: [40] }),
  error: Type.Optional(
    Type.String({
      description: 'Why the video cannot be processed; while it is `queued`, why the last attempt failed',
      examples: ['The file is truncated: it ends after 3 of 10 seconds'],
    }),
  ),
  startedAt: Type.Optional(Timestamp()),
  finishedAt: Type.Optional(Timestamp()),
});
export type Processing = Static<typeof Processing>;

const processing = { tags: ['Uploads'], security: [{ bearer: [] as string[] }], params: idParams('Topic') };

export const getVideoProcessing = {
  ...processing,
  operationId: 'getVideoProcessing',
  summary: "Get the progress of a video's processing",
  description:
    'For admins and the mentor of the subject. A worker makes the renditions of an uploaded video, its poster and its preview images; the uploaded file can be played in the meantime. A failure that may be temporary is retried, an unsuitable file is not. Without a video, and where no worker can process videos, `status` is `none`. The topic agrees with `ready` and `failed` as soon as the response is sent.',
  response: { 200: Success(Processing), ...errorResponses(401, 403, 404, 422, 503) },
};

export const restartVideoProcessing = {
  ...processing,
  operationId: 'restartVideoProcessing',
  summary: 'Process a video again',
  description:
    'For admins and the mentor of the subject: `failed` → `queued`. Returns 409 `INVALID_STATE` with `details.current` in any other state: a video that is `queued`, `processing` or `ready` needs no second start, and one that is `none` starts as soon as a worker sees it.',
  response: { 200: Success(Processing), ...errorResponses(401, 403, 404, 409, 422, 503) },
};
