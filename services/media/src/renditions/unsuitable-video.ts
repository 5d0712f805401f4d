/** The file cannot be processed, now or later. The message is for the people who manage the topic. */
export class UnsuitableVideo extends Error {
  override name = 'UnsuitableVideo';
}
