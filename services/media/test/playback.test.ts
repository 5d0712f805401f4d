import { passportHeader } from '@lms/contracts/passport';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { createGrants } from '../src/playback/grants.ts';
import { masterPlaylist } from '../src/playback/playlists.ts';
import { createPlaybackTokens } from '../src/playback-tokens.ts';
import { addRenditions } from './renditions.ts';
import { sample } from './samples.ts';
import { dataOf, file, form, type Media, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const bytes = sample('mp4', 50_000);
const replace = (media: Media, topicId: string) =>
  media.send(admin, `/api/admin/education/topics/${topicId}/video`, {
    ...form(['video', file(bytes, 'a.mp4')]),
    method: 'PUT',
  });

async function withVideo(t: Test, given: Parameters<typeof startMedia>[1] = {}) {
  const media = await startMedia(t, given);
  const learner = testPrincipal();
  const topic = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  await replace(media, topic.id);
  const requestUrl = (user: typeof learner | null) =>
    media.send(user, `/api/education/topics/${topic.id}/video/playback`, { method: 'POST' });
  /** Requests the URL as a player does: without headers, but from this service's address. */
  const play = (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    return media.send(null, `${pathname}${search}`, init);
  };
  return { media, topic, learner, requestUrl, play };
}

t.test('addresses keep the path of the public URL', async (t) => {
  const { media, requestUrl, learner, topic } = await withVideo(t, { publicUrl: 'https://lms.example/school/' });
  const base = 'https://lms.example/school/api';
  t.equal(topic.video?.videoUrl, `${base}/education/topics/${topic.id}/video`);
  const track = { ...form(['captions', file('WEBVTT\n\n00:00.000 --> 00:01.000\nx\n')]), method: 'PUT' };
  const captions = await media.send(admin, `/api/admin/education/topics/${topic.id}/video/captions/en`, track);
  t.equal((await dataOf(captions)).url, `${base}/education/topics/${topic.id}/video/captions/en`);
  const { url, captions: tracks } = JSON.parse(await (await requestUrl(learner)).text()).data;
  t.ok(url.startsWith(`${base}/education/topics/${topic.id}/video?playback=`));
  t.ok(tracks[0].url.startsWith(`${base}/playback/`));
  const parts = form(['file', file('x')], ['topicId', topic.id], ['metadata', '{}']);
  const document = await dataOf(await media.send(admin, '/api/s3/document/upload', parts));
  t.equal(document.url, `${base}/s3/document/stream?key=${document.key}`);
});

t.test('a playback URL works without a header for 15 minutes', async (t) => {
  const { requestUrl, play, learner, topic } = await withVideo(t);
  const response = await requestUrl(learner);
  t.equal(response.status, 200);
  t.match(await response.clone().json(), { data: { expiresInSeconds: 900 } });
  const { url, expiresAt } = await dataOf(response);
  t.match(url, new RegExp(`^https://lms\\.example/api/education/topics/${topic.id}/video\\?playback=[\\w-]+$`));
  t.ok(url.length < 2_048);
  const lifetimeMs = Date.parse(expiresAt) - Date.now();
  t.ok(lifetimeMs > 14 * 60_000 && lifetimeMs <= 15 * 60_000);

  const whole = await play(url);
  t.equal(whole.status, 200);
  t.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
  const part = await play(url, { headers: { range: 'bytes=100-199' } });
  t.equal(part.status, 206);
  t.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200)));
  t.equal((await play(url, { method: 'HEAD' })).status, 200);
});

t.test('a playback URL requires access to the topic, and a video', async (t) => {
  const { media, requestUrl, learner } = await withVideo(t);
  t.equal((await requestUrl(null)).status, 401);
  const refused = await requestUrl(testPrincipal());
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED', details: { subjectId: String } });
  const empty = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  t.equal(
    (await media.send(learner, `/api/education/topics/${empty.id}/video/playback`, { method: 'POST' })).status,
    404,
  );
  t.equal((await media.send(learner, '/api/education/topics/nope/video/playback', { method: 'POST' })).status, 404);
});

t.test('a playback URL stops working when its video is replaced or removed', async (t) => {
  const { media, requestUrl, play, learner, topic } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  await replace(media, topic.id);
  const ended = await play(url);
  t.equal(ended.status, 403);
  t.match(await ended.json(), { code: 'FORBIDDEN', error: /request a new one/i });
  const { url: newer } = await dataOf(await requestUrl(learner));
  t.equal((await play(newer)).status, 200);
  await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'DELETE' });
  t.equal((await play(newer)).status, 403);
});

t.test('a playback URL stops working when its owner loses access', async (t) => {
  const { requestUrl, play, learner, topic, media } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  topic.enrolled.delete(learner.userId);
  const refused = await play(url);
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
  t.match(media.content.requests.at(-1), { path: /fresh=true/ }, 'the account is checked, not only cached access');
});

t.test('a token that was modified, truncated, used for another topic or forged returns 404', async (t) => {
  const { media, requestUrl, play, learner } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  const token = new URL(url).searchParams.get('playback') ?? '';
  const other = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  await replace(media, other.id);
  const path = new URL(url).pathname;
  const flipped = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  for (const [title, target] of [
    ['used for another topic', `/api/education/topics/${other.id}/video?playback=${token}`],
    ['modified at its beginning', `${path}?playback=${flipped(2)}`],
    ['modified in its middle', `${path}?playback=${flipped(token.length >> 1)}`],
    ['modified at its end', `${path}?playback=${flipped(token.length - 3)}`],
    ['lengthened', `${path}?playback=${token}=`],
    ['in a non-canonical encoding', `${path}?playback=${token.slice(0, 9)}%20${token.slice(9)}`],
    ['truncated', `${path}?playback=${token.slice(0, -20)}`],
    ['empty', `${path}?playback=`],
    ['forged', `${path}?playback=${Buffer.from('{"expiresAt":9e15}').toString('base64url')}`],
  ] as const) {
    const response = await play(`https://lms.example${target}`);
    t.equal(response.status, 404, title);
    t.match(await response.json(), { code: 'NOT_FOUND' }, title);
  }
  t.equal((await play(`https://lms.example${path}?playback=${'a'.repeat(5_000)}`)).status, 404);
});

t.test('a token can be read only with its own secret, and its content is encrypted', (t) => {
  const tokens = createPlaybackTokens('one secret of many');
  const id = 'tz4a98xxat96iws9zmbrgj3a';
  const playback = { topicId: id, videoId: id, userId: id, passport: 'the-passport', expiresAt: 1_000_000 };
  const token = tokens.seal(playback);
  t.same(tokens.read(token), playback);
  t.equal(createPlaybackTokens('another secret').read(token), undefined);
  t.notMatch(Buffer.from(token, 'base64url').toString('latin1'), 'the-passport');
  t.not(tokens.seal(playback), token);
  t.end();
});

t.test('a repeated request with the same Idempotency-Key returns the same URL', async (t) => {
  const { media, learner, topic } = await withVideo(t);
  const requestUrl = () =>
    media.send(learner, `/api/education/topics/${topic.id}/video/playback`, {
      method: 'POST',
      headers: { 'idempotency-key': 'once' },
    });
  const first = await dataOf(await requestUrl());
  const again = await requestUrl();
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.same(await dataOf(again), first);
});

/** A topic with a video that has renditions and captions, and its playback. */
async function withStreams(t: Test, given: Parameters<typeof startMedia>[1] = {}) {
  const grants = createGrants(300);
  const started = await withVideo(t, { grants, ...given });
  const { media, topic, learner, requestUrl } = started;
  const before = await streamsOf(await requestUrl(learner));
  const files = await addRenditions(media, topic);
  await media.send(admin, `/api/admin/education/topics/${topic.id}/video/captions/pt-BR`, {
    ...form(['captions', file('WEBVTT\n\n00:01.000 --> 00:02.000\nOi\n')], ['default', 'true']),
    method: 'PUT',
  });
  const playback = await streamsOf(await requestUrl(learner));
  /** Requests a file below the address of the master playlist. */
  const get = (path: string, init: RequestInit = {}, hls: string | null = playback.hls) =>
    media.send(null, new URL(path, hls ?? '').pathname, init);
  return { ...started, grants, before, files, playback, get };
}

interface Streams {
  hls: string | null;
  poster: string | null;
  thumbnails: string | null;
  captions: object[];
}
const streamsOf = async (response: Response): Promise<Streams> => JSON.parse(await response.text()).data;

t.test('a processed video is played with the addresses of its playback', async (t) => {
  const { before, files, playback, get, topic } = await withStreams(t);
  t.match(before, { hls: null, poster: null, thumbnails: null, captions: [] }, 'nothing but the file before');
  const address = (path: string) => new RegExp(`^https://lms\\.example/api/playback/[\\w-]+/${path}$`);
  t.match(playback, {
    url: new RegExp(`/api/education/topics/${topic.id}/video\\?playback=`),
    hls: address('master\\.m3u8'),
    poster: address('poster\\.jpg'),
    thumbnails: address('thumbnails\\.vtt'),
    captions: [
      {
        language: 'pt-BR',
        label: 'português (Brasil)',
        kind: 'captions',
        default: true,
        url: address('captions/pt-BR\\.vtt'),
      },
    ],
  });
  t.ok(new URL(playback.hls ?? '').pathname.length < 2_048);

  const master = await get('master.m3u8');
  t.equal(master.status, 200);
  t.match(Object.fromEntries(master.headers), {
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': 'private, no-cache',
  });
  t.equal(
    await master.text(),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="português (Brasil)",LANGUAGE="pt-BR",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="captions/pt-BR/playlist.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=400000,AVERAGE-BANDWIDTH=2155,RESOLUTION=426x240,CODECS="avc1.42c01e,mp4a.40.2",SUBTITLES="subtitles"',
      '240/playlist.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=2155,RESOLUTION=640x360,FRAME-RATE=29.970,CODECS="avc1.42c01e,mp4a.40.2",SUBTITLES="subtitles"',
      '360/playlist.m3u8',
      '',
    ].join('\n'),
  );
  const playlist = await (await get('360/playlist.m3u8')).text();
  t.match(playlist, '#EXT-X-TARGETDURATION:6\n');
  t.match(
    playlist,
    '#EXT-X-MAP:URI="init.mp4"\n#EXTINF:6.000000,\n0.m4s\n#EXTINF:6.000000,\n1.m4s\n#EXTINF:2.480000,\n2.m4s\n#EXT-X-ENDLIST\n',
  );

  const { film, image } = files;
  for (const [path, type, expected] of [
    ['360/init.mp4', 'video/mp4', film.subarray(0, 100)],
    ['360/0.m4s', 'video/iso.segment', film.subarray(100, 1_100)],
    ['360/1.m4s', 'video/iso.segment', film.subarray(1_100, 3_100)],
    ['360/2.m4s', 'video/iso.segment', film.subarray(3_100)],
    ['poster.jpg', 'image/jpeg', image],
    ['sprite.jpg', 'image/jpeg', image],
  ] as const) {
    const response = await get(path);
    t.equal(response.status, 200, path);
    t.match(Object.fromEntries(response.headers), {
      'content-type': type,
      'content-length': String(expected.length),
      'cache-control': 'private, max-age=900',
    });
    t.ok(Buffer.from(await response.arrayBuffer()).equals(expected), path);
    const etag = response.headers.get('etag') ?? '';
    t.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 304, path);
    const head = await get(path, { method: 'HEAD' });
    t.same(
      [head.status, head.headers.get('content-length'), head.headers.get('etag')],
      [200, String(expected.length), etag],
    );
  }
  const range = await get('360/1.m4s', { headers: { range: 'bytes=10-19' } });
  t.same([range.status, range.headers.get('content-range')], [206, 'bytes 10-19/2000']);
  t.ok(Buffer.from(await range.arrayBuffer()).equals(film.subarray(1_110, 1_120)), 'a range of a segment');
  t.equal((await get('360/1.m4s', { headers: { range: 'bytes=2000-' } })).status, 416, 'not of the next one');

  const thumbnails = await get('thumbnails.vtt');
  t.equal(thumbnails.headers.get('content-type'), 'text/vtt; charset=utf-8');
  t.equal(
    await thumbnails.text(),
    [
      'WEBVTT\n',
      '00:00:00.000 --> 00:00:05.000\nsprite.jpg#xywh=0,0,160,90\n',
      '00:00:05.000 --> 00:00:10.000\nsprite.jpg#xywh=160,0,160,90\n',
      '00:00:10.000 --> 00:00:14.480\nsprite.jpg#xywh=0,90,160,90\n',
    ].join('\n'),
  );
  const captions = await get('captions/pt-BR.vtt');
  t.equal(captions.headers.get('content-type'), 'text/vtt; charset=utf-8');
  t.equal(
    await captions.text(),
    'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00:01.000 --> 00:00:02.000\nOi\n',
  );
  const subtitles = await get('captions/pt-BR/playlist.m3u8');
  t.equal(subtitles.headers.get('content-type'), 'application/vnd.apple.mpegurl');
  t.match(
    await subtitles.text(),
    '#EXT-X-TARGETDURATION:15\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:14.480000,\n../pt-BR.vtt\n#EXT-X-ENDLIST\n',
  );
  const text = { headers: { 'if-none-match': captions.headers.get('etag') ?? '' } };
  t.equal((await get('captions/pt-BR.vtt', text)).status, 304);
  t.equal((await get('master.m3u8', { method: 'HEAD' })).status, 200);

  for (const path of [
    '480/playlist.m3u8',
    '0360/playlist.m3u8',
    '360/3.m4s',
    '360/-1.m4s',
    '360/00.m4s',
    '360/x.m4s',
    'captions/fr.vtt',
    'captions/fr/playlist.m3u8',
    'nothing.jpg',
  ])
    t.equal((await get(path)).status, 404, path);
});

t.test('the master playlist names captions and subtitles with names of their own', (t) => {
  const track = { language: 'en', label: 'A "B"\nC', kind: 'subtitles', default: false } as const;
  const tracks = [
    track,
    { ...track, language: 'en-GB' },
    { ...track, language: 'de', label: 'Deutsch', kind: 'chapters' as const },
  ];
  const subtitle = (name: string, language: string) =>
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${name}",LANGUAGE="${language}",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/${language}/playlist.m3u8"`;
  const listed = (given: Parameters<typeof masterPlaylist>[1]) =>
    masterPlaylist([], given)
      .split('\n')
      .filter((line) => line.startsWith('#EXT-X-MEDIA'));
  t.same(listed(tracks), [subtitle("A 'B' C (en)", 'en'), subtitle("A 'B' C (en-GB)", 'en-GB')], 'chapters are not');
  t.same(listed([track]), [subtitle("A 'B' C", 'en')]);
  const third = { ...track, language: 'fr', label: "A 'B' C (en)" };
  t.same(
    listed([...tracks, third]).map((line) => /NAME="([^"]*)"/.exec(line)?.[1]),
    ["A 'B' C (en) (en)", "A 'B' C (en-GB)", "A 'B' C (en)"],
    'also if a label is the name that another track would get',
  );
  t.end();
});

t.test('tokens of playback addresses: unreadable ones return 404, ended ones 403', async (t) => {
  const { media, topic, learner, playback, get } = await withStreams(t);
  const hls = playback.hls ?? '';
  const [, token = ''] = /playback\/([\w-]+)\//.exec(hls) ?? [];
  const videoId = topic.video?.video.id ?? '';
  const tokens = createPlaybackTokens('a secret for playback URLs');
  const content = {
    topicId: topic.id,
    videoId,
    userId: learner.userId,
    passport: passportHeaders(learner)[passportHeader] ?? null,
  };
  const other = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  for (const [title, given, status] of [
    ['truncated', token.slice(0, -20), 404],
    ['modified', `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`, 404],
    ['forged', Buffer.from('{"expiresAt":9e15}').toString('base64url'), 404],
    [
      'of another secret',
      createPlaybackTokens('another secret').seal({ ...content, expiresAt: Date.now() + 1_000 }),
      404,
    ],
    ['expired', tokens.seal({ ...content, expiresAt: Date.now() - 1 }), 403],
    [
      'for a topic without this video',
      tokens.seal({ ...content, topicId: other.id, expiresAt: Date.now() + 9_000 }),
      403,
    ],
  ] as const) {
    const response = await get('master.m3u8', {}, hls.replace(token, given));
    t.equal(response.status, status, title);
    if (status === 403) t.match(await response.json(), { code: 'FORBIDDEN', details: { user_roles: [] } });
    const path = `/api/education/topics/${topic.id}/video`;
    for (const read of [path, `${path}/captions/pt-BR`])
      t.equal((await media.send(null, `${read}?playback=${given}`)).status, status, `${title}, for ${read}`);
  }
  t.equal((await get('master.m3u8', {}, hls.replace(token, 'a'.repeat(4_097)))).status, 404);
});

t.test('a playback ends when its video is replaced or removed', async (t) => {
  const { media, topic, learner, requestUrl, get } = await withStreams(t);
  t.equal((await get('360/0.m4s')).status, 200);
  await replace(media, topic.id);
  for (const path of ['master.m3u8', '360/0.m4s', 'poster.jpg', 'captions/pt-BR.vtt']) {
    const ended = await get(path);
    t.equal(ended.status, 403, path);
    t.match(await ended.json(), { error: /request a new one/i });
  }
  t.match(await streamsOf(await requestUrl(learner)), { hls: null, poster: null, captions: [] });
});

t.test(
  'a playback ends when its user loses access: at once with the event, else when the cached grant expires',
  async (t) => {
    const { grants, topic, learner, get, media } = await withStreams(t, { grants: createGrants(3_000) });
    const segment = () => get('360/0.m4s');
    const checks = () => media.content.requests.filter(({ path }) => path.includes('fresh')).length;
    t.equal((await segment()).status, 200);
    const [before, startedAt] = [checks(), performance.now()];
    for (let at = 0; at < 20; at += 1) t.equal((await segment()).status, 200);
    const expired = Math.ceil((performance.now() - startedAt) / 3_000);
    t.ok(checks() - before <= expired + 1, 'content is not asked for every segment');

    topic.enrolled.delete(learner.userId);
    const refused = await waitFor(async () => {
      const response = await segment();
      return response.status === 403 ? response : undefined;
    });
    t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
    t.ok(grants);
  },
);

t.test('a cached grant ends with the enrollment', async (t) => {
  const { topic, learner, get, media } = await withStreams(t, { grants: createGrants(60_000) });
  const checks = () => media.content.requests.filter(({ path }) => path.includes('fresh')).length;
  const expiresAt = new Date(Date.now() + 1_000);
  topic.expiresAt = expiresAt.toISOString();
  t.equal((await get('360/0.m4s')).status, 200);
  const before = checks();
  topic.enrolled.delete(learner.userId);
  await waitFor(() => Date.now() >= expiresAt.getTime());
  t.equal((await get('360/0.m4s')).status, 403);
  t.equal(checks(), before + 1);
});

t.test('events drop the cached grants of their user, and all of them after a gap', async (t) => {
  const grants = createGrants();
  let checks = 0;
  const require = (userId: string) =>
    grants.require(userId, 'topic', async () => {
      checks += 1;
      return undefined;
    });
  const checksOf = async (...users: string[]) => {
    checks = 0;
    for (const user of users) await require(user);
    return checks;
  };
  t.equal(await checksOf('ann', 'bob', 'ann', 'bob'), 2);
  const [enrollments, users, content] = grants.subscriptions;
  enrollments?.onEvent({ data: { userId: 'ann', id: 'bob' } });
  t.equal(await checksOf('ann', 'bob'), 1);
  users?.onEvent({ data: { id: 'bob', userId: 'ann' } });
  t.equal(await checksOf('ann', 'bob'), 1);
  content?.onEvent({ data: {} });
  t.equal(await checksOf('ann', 'bob'), 2);
  for (const { onGap } of grants.subscriptions) {
    onGap();
    t.equal(await checksOf('ann', 'bob'), 2);
  }
  await grants.require('eve', 'topic', async () => {
    users?.onEvent({ data: { id: 'eve' } });
    return undefined;
  });
  t.equal(await checksOf('eve'), 1, 'a check that an event overtook is not cached');
});
