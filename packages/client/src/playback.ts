import { ApiError, type Failure, type Result, unwrap } from './failures.ts';
import type { operations } from './interface.ts';

type Opened = operations['openPlayback']['responses'][200]['content']['application/json'];

/** The addresses of a topic's video. They work until `expiresAt`. */
export type Playback = Opened['data'];

export interface PlaybackOptions {
  /** Called with new addresses before the others expire. */
  onRenewed: (playback: Playback) => void;
  /** Called once if there will be no new addresses: the caller has lost access or used up the quota, or the video was removed. */
  onEnded?: (failure: Failure) => void;
  /** Ends the renewal. */
  signal?: AbortSignal;
}

export interface Playbacks {
  /**
   * Requests the addresses of a topic's video, and new ones a minute before they expire.
   * @throws ApiError if the first request fails
   */
  play(topicId: string, options: PlaybackOptions): Promise<Playback>;
}

const marginMs = 60_000;
const retryMs = 5_000;

const isFinal = ({ status, code }: ApiError) => [401, 403, 404].includes(status) || code === 'QUOTA_EXCEEDED';

export function createPlaybacks(open: (topicId: string) => Promise<Result<Opened>>): Playbacks {
  return {
    async play(topicId, { onRenewed, onEnded, signal }) {
      const playback = await unwrap(open(topicId));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const schedule = (delayMs: number) => {
        if (!signal?.aborted) timer = setTimeout(renew, delayMs);
      };
      // Not by `expiresAt`: the clock of the device may be wrong. Earlier servers do not say how long it is.
      const renewBefore = ({ expiresInSeconds = 900 }: Partial<Playback>) =>
        schedule(Math.max(retryMs, expiresInSeconds * 1_000 - marginMs));

      async function renew() {
        try {
          const renewed = await unwrap(open(topicId));
          if (signal?.aborted) return;
          onRenewed(renewed);
          renewBefore(renewed);
        } catch (error) {
          // Only the service can end a playback; a lost connection may return.
          if (error instanceof ApiError && isFinal(error)) return onEnded?.(error.failure);
          const { retryAfterSeconds = 0 } = error instanceof ApiError ? error : {};
          schedule(Math.max(retryMs, retryAfterSeconds * 1_000));
        }
      }

      signal?.addEventListener('abort', () => clearTimeout(timer), { once: true });
      renewBefore(playback);
      return playback;
    },
  };
}
