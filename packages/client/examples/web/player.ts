import { ApiError, type Client, type Playback, unwrap } from '@lms/client';
import Hls from 'hls.js';
import { element } from './element.ts';

const token = /\/api\/playback\/[^/]+\//;

export interface Player {
  video: HTMLVideoElement;
  /** The video with its controls. */
  part: HTMLElement;
  /** Starts loading. */
  load: () => void;
}

/** Plays the video of a topic: adaptively once it is processed, else the original file. */
export async function createPlayer(client: Client, topicId: string): Promise<Player> {
  const leaving = new AbortController();
  // The addresses belong to a page; another page ends their renewal.
  addEventListener('hashchange', () => leaving.abort(), { once: true });
  const status = element('p', { className: 'muted', role: 'status' });
  const end = (reason: string): undefined => {
    leaving.abort();
    status.textContent = reason;
  };

  let playback = await client.play(topicId, {
    signal: leaving.signal,
    onRenewed: (renewed) => {
      playback = renewed;
      setTracks();
    },
    onEnded: (failure) => end(failure.error),
  });
  const video = element('video', { controls: true, preload: 'metadata', muted: true, crossOrigin: 'anonymous' });
  const quality = element('select', { hidden: true, ariaLabel: 'Quality' });
  if (playback.poster) video.poster = playback.poster;

  const playsAdaptively = playback.hls !== null && Hls.isSupported();
  // A browser that plays HLS by itself shows the captions that the master playlist lists.
  const isNative = playback.hls !== null && !playsAdaptively && canPlayHls(video);

  // Captions that are not loaded yet get the new address.
  function setTracks() {
    if (isNative) return;
    for (const { language, label, kind, url, default: isDefault } of playback.captions) {
      const shown = [...video.querySelectorAll('track')].find(({ srclang }) => srclang === language);
      if (!shown) video.append(element('track', { kind, label, srclang: language, src: url, default: isDefault }));
      else if (shown.readyState === HTMLTrackElement.NONE) shown.src = url;
    }
  }
  setTracks();

  /** Requests new addresses after an error, until there are some, or the service refuses for good and the reason is shown. */
  async function reopen(): Promise<Playback | undefined> {
    const given = { params: { path: { id: topicId } }, signal: leaving.signal };
    while (!leaving.signal.aborted) {
      try {
        playback = await unwrap(client.POST('/api/education/topics/{id}/video/playback', given));
        status.textContent = '';
        return playback;
      } catch (reason) {
        if (leaving.signal.aborted) break;
        if (reason instanceof ApiError && isFinal(reason)) return end(reason.failure.error);
        status.textContent = 'The connection was lost. Trying again …';
        const { retryAfterSeconds = 0 } = reason instanceof ApiError ? reason : {};
        await new Promise((resolve) => setTimeout(resolve, Math.max(5, retryAfterSeconds) * 1_000));
      }
    }
    return undefined;
  }

  // It rejects if the connection is lost again.
  const play = () => video.play().catch(() => undefined);

  function loadOriginal(source: string, startAt = 0) {
    video.src = source;
    const resume = () => {
      video.currentTime = startAt;
    };
    if (startAt > 0) video.addEventListener('loadedmetadata', resume, { once: true });
  }
  function loadFile() {
    const addressOf = ({ hls, url }: Playback) => (isNative && hls) || url;
    loadOriginal(addressOf(playback));
    let failures = 0;
    let startAt = 0;
    video.addEventListener('playing', () => {
      failures = 0;
    });
    video.addEventListener('error', async () => {
      failures += 1;
      const { currentTime, paused } = video;
      // 0 if the new addresses failed, too.
      startAt = currentTime || startAt;
      if (leaving.signal.aborted) return;
      if (failures > 3) return end('This browser cannot play the video.');
      const reopened = await reopen();
      if (!reopened) return;
      loadOriginal(addressOf(reopened), startAt);
      if (!paused) play();
    });
  }

  function loadAdaptively(source: string) {
    const hls = new Hls({
      // The page has a <track> for all captions.
      enableWebVTT: false,
      // A renewed playback differs in its token only: what is playing goes on with the new one.
      xhrSetup: (request, url) => {
        const current = token.exec(playback.hls ?? '')?.[0];
        request.open('GET', current ? url.replace(token, current) : url, true);
      },
    });
    hls.on(Hls.Events.MANIFEST_PARSED, () => {
      const levels = hls.levels.map(({ height }, level) => element('option', { value: String(level) }, `${height}p`));
      quality.replaceChildren(element('option', { value: '-1' }, 'Automatic quality'), ...levels);
      quality.hidden = levels.length < 2;
    });
    quality.onchange = () => {
      hls.currentLevel = Number(quality.value);
    };
    let isReopening = false;
    hls.on(Hls.Events.ERROR, async (_event, { fatal, response, type }) => {
      if (fatal && type === Hls.ErrorTypes.MEDIA_ERROR) return hls.recoverMediaError();
      if ((response?.code !== 403 && !fatal) || isReopening) return;
      isReopening = true;
      hls.stopLoad();
      const reopened = await reopen();
      isReopening = false;
      if (!reopened?.hls) {
        video.pause();
        hls.destroy();
        return;
      }
      const { currentTime, paused } = video;
      hls.config.startPosition = currentTime || hls.config.startPosition;
      hls.loadSource(reopened.hls);
      if (!paused) play();
    });
    leaving.signal.addEventListener('abort', () => hls.destroy());
    hls.loadSource(source);
    hls.attachMedia(video);
  }

  return {
    video,
    part: element('div', { className: 'player' }, video, quality, status),
    load: () => (playback.hls && playsAdaptively ? loadAdaptively(playback.hls) : loadFile()),
  };
}

const canPlayHls = (video: HTMLVideoElement) => video.canPlayType('application/vnd.apple.mpegurl') !== '';

/** Anything else may be gone later, such as a lost connection. */
const isFinal = ({ status, code }: ApiError) => [401, 403, 404].includes(status) || code === 'QUOTA_EXCEEDED';
