import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { toWebVtt } from '../src/captions/to-web-vtt.ts';
import { sample } from './samples.ts';
import { dataOf, file, form, type Media, startMedia } from './start-media.ts';

const [admin, mentor, learner] = [testPrincipal(['ADMIN']), testPrincipal(['MENTOR']), testPrincipal()];
const manage = (id: string, language: string) => `/api/admin/education/topics/${id}/video/captions/${language}`;
const read = (id: string, language: string) => `/api/education/topics/${id}/video/captions/${language}`;
const put = (...parts: Parameters<typeof form>) => ({ ...form(...parts), method: 'PUT' });
const vtt = (text: string) => file(text, 'captions.vtt');
const lesson = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nWelcome to the lesson\n';

const media = await startMedia(t);

async function topicWithVideo() {
  const topic = media.content.addTopic({ mentorId: mentor.userId, enrolled: new Set([learner.userId]) });
  await replaceVideo(media, topic.id);
  return topic;
}
const replaceVideo = (media: Media, id: string) =>
  media.send(admin, `/api/admin/education/topics/${id}/video`, put(['video', file(sample('mp4', 1_000), 'a.mp4')]));
const events = async (videoId: string | undefined) =>
  (
    await media.database
      .sql`select type, version, data from outbox where aggregate_id = ${videoId ?? ''} order by version`
  ).map(({ type, version, data }) => ({ type, version, data }));

t.test('captions uploaded by the mentor appear in the topic and are readable by enrolled learners', async (t) => {
  const topic = await topicWithVideo();
  t.match(topic.video?.video, { status: 'none', durationSeconds: null, renditions: [], captions: [] });
  const parts = () =>
    put(['default', 'true'], ['captions', vtt(lesson)], ['label', ' Deutsch (Form 2) '], ['kind', 'subtitles']);
  const uploaded = await media.send(mentor, manage(topic.id, 'DE-de'), parts());
  t.equal(uploaded.status, 200);
  const track = { language: 'de-DE', label: 'Deutsch (Form 2)', kind: 'subtitles', default: true };
  const first = await dataOf(uploaded);
  t.match(first, {
    topicId: topic.id,
    ...track,
    url: `https://lms.example${read(topic.id, 'de-DE')}`,
  });
  t.same(topic.video?.video.captions, [track], 'the topic shows it when the response is sent');

  const response = await media.send(learner, read(topic.id, 'de-de'));
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'text/vtt; charset=utf-8');
  t.equal(response.headers.get('cache-control'), 'private, no-cache');
  t.equal(await response.text(), lesson);
  const etag = response.headers.get('etag') ?? '';
  t.match(etag, /^"[0-9a-f]{64}"$/);
  const conditional = { headers: { 'if-none-match': etag } };
  t.equal((await media.send(learner, read(topic.id, 'de-DE'), conditional)).status, 304);
  const head = await media.send(learner, read(topic.id, 'de-DE'), { method: 'HEAD' });
  t.same([head.status, head.headers.get('etag'), await head.text()], [200, etag, '']);

  const [, event] = await events(topic.video?.video.id);
  t.match(event, {
    type: 'media.caption.uploaded',
    version: 2,
    data: { ...track, topicId: topic.id, video: { id: topic.video?.video.id, captions: [track] } },
  });
  t.equal(topic.video?.version, 2, 'with the version of the event');

  const again = await media.send(mentor, manage(topic.id, 'de-DE'), parts());
  t.same(await dataOf(again), first, 'the same upload changes nothing');
  t.equal((await events(topic.video?.video.id)).length, 2);
});

t.test('only admins and the mentor may change captions, and only readers of the topic may read them', async (t) => {
  const topic = await topicWithVideo();
  const upload = () => put(['captions', vtt(lesson)]);
  for (const [user, status] of [
    [null, 401],
    [learner, 403],
    [testPrincipal(['MENTOR']), 403],
    [admin, 200],
  ] as const) {
    t.equal((await media.send(user, manage(topic.id, 'en'), upload())).status, status);
    if (status !== 200) t.equal((await media.send(user, manage(topic.id, 'en'), { method: 'DELETE' })).status, status);
  }
  for (const [user, status] of [
    [null, 401],
    [testPrincipal(), 403],
    [mentor, 200],
  ] as const)
    t.equal((await media.send(user, read(topic.id, 'en'))).status, status);

  const playback = await media.send(learner, `/api/education/topics/${topic.id}/video/playback`, { method: 'POST' });
  const { search } = new URL((await dataOf(playback)).url);
  const other = await topicWithVideo();
  await media.send(admin, manage(other.id, 'en'), upload());
  t.equal((await media.send(null, `${read(topic.id, 'en')}${search}`)).status, 200, 'with the token of a playback URL');
  t.equal((await media.send(null, `${read(other.id, 'en')}${search}`)).status, 404, 'of another topic');

  t.equal((await media.send(learner, read(topic.id, 'fr'))).status, 404);
  t.equal((await media.send(learner, read(topic.id, 'no_language'))).status, 404);
  const empty = media.content.addTopic();
  t.match(await (await media.send(admin, manage(empty.id, 'en'), upload())).json(), { error: 'Video not found' });
  t.equal((await media.send(admin, manage(empty.id, 'en'), { method: 'DELETE' })).status, 404);
});

t.test('a replacement, a removal and another default change the tracks of the topic', async (t) => {
  const topic = await topicWithVideo();
  const tracks = () => topic.video?.video.captions?.map((track) => [track.language, track.label, track.default]);
  for (const language of ['fr', 'en'])
    t.equal(
      (await media.send(mentor, manage(topic.id, language), put(['captions', vtt(lesson)], ['default', 'true'])))
        .status,
      200,
    );
  t.same(tracks(), [
    ['en', 'English', true],
    ['fr', 'français', false],
  ]);
  const other = lesson.replace('Welcome', 'Hello');
  await media.send(mentor, manage(topic.id, 'en'), put(['captions', vtt(other)], ['label', 'Plain']));
  t.same(tracks(), [
    ['en', 'Plain', false],
    ['fr', 'français', false],
  ]);
  t.equal(await (await media.send(learner, read(topic.id, 'en'))).text(), other);
  t.equal((await media.send(mentor, manage(topic.id, 'EN'), { method: 'DELETE' })).status, 200);
  t.equal((await media.send(mentor, manage(topic.id, 'en'), { method: 'DELETE' })).status, 404);
  t.same(tracks(), [['fr', 'français', false]]);
  const [, , , , removed] = await events(topic.video?.video.id);
  t.match(removed, {
    type: 'media.caption.removed',
    data: { language: 'en', video: { captions: [{ language: 'fr' }] } },
  });

  await replaceVideo(media, topic.id);
  t.same(tracks(), [], 'a new video has no captions');
  t.equal((await media.send(learner, read(topic.id, 'fr'))).status, 404);
  await waitFor(async () => (await media.database.sql`select from captions where label = 'français'`).length === 0);
});

t.test('concurrent uploads leave one default track, and content shows the latest state', async (t) => {
  const topic = await topicWithVideo();
  const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'tr'];
  const sent = languages.map((language) =>
    media.send(admin, manage(topic.id, language), put(['captions', vtt(lesson)], ['default', 'true'])),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  // An administrator holds at most a quarter of the upload slots; the others wait for one.
  t.same(
    statuses,
    languages.map(() => 200),
  );
  const shown = topic.video?.video.captions ?? [];
  t.same(
    shown.map(({ language }) => language),
    languages,
  );
  t.equal(shown.filter((track) => track.default).length, 1);
});

t.test('captions are stored although content does not respond; the event shows them', async (t) => {
  const topic = await topicWithVideo();
  media.content.intercept(async ({ path }, _apply, response) => {
    if (path.endsWith('/state')) response.writeHead(503).end();
    return path.endsWith('/state');
  });
  t.equal((await media.send(admin, manage(topic.id, 'en'), put(['captions', vtt(lesson)]))).status, 200);
  media.content.stopIntercepting();
  t.same(topic.video?.video.captions, []);
  t.equal((await media.send(learner, read(topic.id, 'en'))).status, 200);
  t.match((await events(topic.video?.video.id)).at(-1), { data: { video: { captions: [{ language: 'en' }] } } });
});

t.test('invalid uploads are refused with the field, or with the line that cannot be read', async (t) => {
  const topic = await topicWithVideo();
  const cues = (count: number) => `WEBVTT\n\n${'00:01.000 --> 00:02.000\nx\n\n'.repeat(count)}`;
  for (const [title, language, parts, status, details] of [
    ['no language', 'not_a_tag', [['captions', vtt(lesson)]], 422, { field: 'language', value: 'not_a_tag' }],
    ['too long a language', `en-${'x'.repeat(60)}`, [['captions', vtt(lesson)]], 422, { field: 'language' }],
    ['no part', 'en', [['label', 'x']], 422, { field: 'captions', message: 'is required' }],
    ['another part', 'en', [['video', vtt(lesson)]], 422, { field: 'captions' }],
    [
      'a kind',
      'en',
      [
        ['captions', vtt(lesson)],
        ['kind', 'metadata'],
      ],
      422,
      { field: 'kind', message: 'must be one of captions, subtitles, descriptions, chapters' },
    ],
    [
      'a default',
      'en',
      [
        ['default', 'yes'],
        ['captions', vtt(lesson)],
      ],
      422,
      { field: 'default' },
    ],
    [
      'a label',
      'en',
      [
        ['captions', vtt(lesson)],
        ['label', 'x'.repeat(201)],
      ],
      422,
      { field: 'label' },
    ],
    [
      'a blank label',
      'en',
      [
        ['captions', vtt(lesson)],
        ['label', ' '],
      ],
      422,
      { field: 'label' },
    ],
    ['another format', 'en', [['captions', vtt('[Script Info]\nx')]], 422, { message: /^line 1: / }],
    [
      'a time',
      'en',
      [['captions', vtt(`${lesson}\n\n00:99.000 --> 01:00.000\nx`)]],
      422,
      { message: /^line 7: /, value: /99/ },
    ],
    [
      'no UTF-8',
      'en',
      [['captions', new File([Buffer.from(`${lesson}\nna\xefve`, 'latin1')], 'a')]],
      422,
      { message: 'line 6: must be UTF-8' },
    ],
    ['no cue', 'en', [['captions', vtt('WEBVTT\n\nNOTE nothing')]], 422, { field: 'captions' }],
    ['too many cues', 'en', [['captions', vtt(cues(20_001))]], 422, { message: /more than 20000 cues/ }],
    ['more bytes than are allowed', 'en', [['captions', vtt(cues(100_000))]], 413, { maxBytes: 2_097_152 }],
    ['text that grows beyond the limit', 'en', [['captions', vtt(`${lesson}${'&'.repeat(1_000_000)}`)]], 413, {}],
  ] as [string, string, Parameters<typeof put>, number, object][]) {
    const response = await media.send(mentor, manage(topic.id, language), put(...parts));
    t.equal(response.status, status, title);
    t.match(await response.json(), { details }, title);
  }
  const notMultipart = { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } };
  t.equal((await media.send(mentor, manage(topic.id, 'en'), notMultipart)).status, 415);
  t.same(topic.video?.video.captions, []);
  t.same((await events(topic.video?.video.id)).length, 1);
  t.equal((await media.send(mentor, manage(topic.id, 'en'), put(['captions', vtt(cues(20_000))]))).status, 200);
  const largest = lesson.padEnd(2_097_152, 'x');
  t.equal(
    (await media.send(mentor, manage(topic.id, 'en'), put(['captions', vtt(largest)]))).status,
    200,
    'exactly 2 MiB',
  );
  t.equal((await media.send(mentor, manage(topic.id, 'en'), put(['captions', vtt(`${largest}x`)]))).status, 413);
});

t.test('lengths of labels are counted in characters', async (t) => {
  const topic = await topicWithVideo();
  const label = '😀'.repeat(200);
  const response = await media.send(mentor, manage(topic.id, 'en'), put(['captions', vtt(lesson)], ['label', label]));
  t.equal(response.status, 200);
  t.match(await dataOf(response), { label });
});

t.test('a video has at most fifty tracks', async (t) => {
  const topic = await topicWithVideo();
  const { id } = topic.video?.video ?? {};
  await media.database.sql`
    insert into captions (video_id, language, label, kind, is_default, content, checksum, uploaded_by, uploaded_at)
    select ${id ?? ''}, 'en-x-' || n, 'x', 'captions', false, 'WEBVTT', '', '', now() from generate_series(1, 50) n`;
  const refused = await media.send(admin, manage(topic.id, 'en'), put(['captions', vtt(lesson)]));
  t.equal(refused.status, 409);
  t.match(await refused.json(), {
    code: 'CONFLICT',
    details: { resource: 'captions', field: 'language', value: 'en' },
  });
  t.equal((await media.send(admin, manage(topic.id, 'en-x-7'), put(['captions', vtt(lesson)]))).status, 200);
});

t.test('the export of personal data includes uploaded captions', async (t) => {
  const uploader = testPrincipal(['MENTOR']);
  const topic = await topicWithVideo();
  topic.mentorId = uploader.userId;
  await media.send(uploader, manage(topic.id, 'en'), put(['captions', vtt(lesson)]));
  t.match(await dataOf(await media.send(uploader, '/internal/export')), {
    captions: [{ videoId: topic.video?.video.id, language: 'en', label: 'English' }],
  });
});

const convert = (text: string) => toWebVtt(Buffer.from(text));

t.test('WebVTT is stored without styles, comments and other markup', (t) => {
  const written = convert(
    [
      '\uFEFFWEBVTT Kind: captions\r\nLanguage: en\r\n',
      'NOTE a comment\nof two lines\n',
      'STYLE\n::cue { background: url(https://evil.example/x) }\n',
      'REGION\nid:fred\nwidth:40%\nlines:3\nonload:alert(1)\n',
      'second\n01:00:03.000-->01:00:04.000 region:fred align:start line:0,end evil:1 size:50% size:500%\n<v Ann "A">Yes & no < 3 > 2\n',
      '00:01.000 --> 00:02.000\n<script>alert(1)</script>&lt;b&gt; &copy; <i.loud>a</i> <b onclick="x">b</b>\n<img src=x onerror=alert(1)>\n<00:01.500><lang en-GB>colour</lang>',
    ].join('\n'),
  );
  t.equal(
    written,
    [
      'WEBVTT',
      'REGION\nid:fred\nwidth:40%\nlines:3',
      '00:00:01.000 --> 00:00:02.000\nalert(1)&lt;b&gt; &amp;copy; <i.loud>a</i> b</b>\n<00:01.500><lang en-GB>colour</lang>',
      'second\n01:00:03.000 --> 01:00:04.000 region:fred align:start line:0,end size:50%\n<v Ann "A">Yes &amp; no &lt; 3 &gt; 2\n',
    ].join('\n\n'),
  );
  t.equal(convert(written), written.replace('<00:01.500>', '<00:01.500>'), 'what is written can be read');
  t.notMatch(written, /<(script|img)|onclick|onerror|url\(/);
  t.end();
});

t.test('a line of spaces in WebVTT belongs to its cue, unless another cue follows', (t) => {
  const [one, two] = ['00:00:01.000 --> 00:00:02.000', '00:00:02.000 --> 00:00:03.000'];
  const separated = `WEBVTT\n\n${one}\nhello\n\nsecond\n${two}\nworld\n`;
  t.equal(convert(`WEBVTT\n\n${one}\n \nhello\n\nsecond\n${two}\nworld`), separated);
  t.equal(convert(`WEBVTT\n \n${one}\nhello\n\t\nsecond\n${two}\nworld\n `), separated);
  t.equal(convert(`WEBVTT\n\n${one}\n\n \nsecond\n${two}\nworld`), separated.replace('\nhello', ''));
  t.end();
});

t.test('SubRip becomes WebVTT', (t) => {
  t.equal(
    convert(
      '\uFEFF\r\n2\r\n00:00:05,5 --> 00:00:06,250 X1:0 X2:9\r\n<font color="red">{\\an8}Second</font>\r\n\r\n1\r\n0:00:01,000 --> 0:00:02,000\r\n<i>First</i>\r\n- and more\r\n',
    ),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>First</i>\n- and more\n\n00:00:05.500 --> 00:00:06.250\nSecond\n',
  );
  t.end();
});

t.test('a file that cannot be read is refused with the number of the line', (t) => {
  for (const [text, line] of [
    ['', 1],
    ['webvtt\n\n00:01.000 --> 00:02.000\nx', 1],
    ['WEBVTT2\n\n00:01.000 --> 00:02.000\nx', 1],
    ['WEBVTT\n00:01.000 --> 00:02.000\nx', 2],
    ['WEBVTT\n\nname\n\n00:01.000 --> 00:02.000\nx', 3],
    ['WEBVTT\n\n00:02.000 --> 00:01.000\nx', 3],
    ['WEBVTT\n\n00:01.000 --> 00:01.000\nx', 3],
    ['WEBVTT\n\n00:01,000 --> 00:02,000\nx', 3],
    ['WEBVTT\n\n1\n0:00:01.000 --> 0:00:02.000\nx', 4],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nx\n00:02.000 --> 00:03.000\ny', 5],
    ['1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\n00:00:03,000 -> 00:00:04,000\ny', 6],
    ['\n\n{"json": true}', 3],
  ] as const)
    t.match(refusalOf(text), { details: { field: 'captions', message: new RegExp(`^line ${line}: `) } }, text);
  // What other parsers take minutes for.
  for (const hostile of ['<', '<v ', '&#', '{\\', '<c.', '-->'])
    t.ok(millisecondsOf(`${lesson}${hostile.repeat(200_000)}`) < 10_000, hostile);
  const spaces = ' '.repeat(1_000_000);
  t.ok(millisecondsOf(`${lesson}<v${spaces}x&>`) < 10_000, 'a voice');
  t.ok(millisecondsOf(`${lesson}\n00:03.000 --> 00:04.000${spaces}\u2028\nx`) < 10_000, 'the settings of a cue');
  t.end();
});

function refusalOf(text: string): unknown {
  try {
    return convert(text);
  } catch (error) {
    return error;
  }
}

function millisecondsOf(text: string): number {
  const startedAt = performance.now();
  refusalOf(text);
  return performance.now() - startedAt;
}
