export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { ApiError, type ErrorCode, type Failure, type Result, unwrap } from './failures.ts';
export type { components, operations, paths } from './interface.ts';
export type { ItemOf, ListPath } from './lists.ts';
export type { Playback, PlaybackOptions } from './playback.ts';
export type { SendOptions, Wait } from './send.ts';
export type {
  CaptionUpload,
  CurriculumUpload,
  DocumentUpload,
  RosterUpload,
  UploadOptions,
  VideoUpload,
} from './upload.ts';
