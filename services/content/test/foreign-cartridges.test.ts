// cspell:ignore basiclti IMSGLC intendeduse lessonplan lommanifest Pressbooks questestinterop Rolesv weblink weblinks
// Cartridges with the structure that other products write, made by hand: the same elements, namespaces, types of resources
// and folders. Each test names the public source that shows the structure.
import { test } from 'tap';
import type { Issue } from '../src/curriculum/items.ts';
import { readPageContent } from '../src/curriculum/topic-page.ts';
import { codes, type NewItem, outline, read } from './cartridge-files.ts';

interface Product {
  version: '1.1' | '1.2' | '1.3';
  metadata: string;
  organization: string;
  resources: string;
}

/** A manifest with the namespaces and schema locations of its version. */
function manifestOf({ version, metadata, organization, resources }: Product) {
  const profile = `ccv${version.replace('.', 'p')}`;
  const cartridge = `http://www.imsglobal.org/xsd/ims${profile}/imscp_v1p1`;
  const lom = `http://ltsc.ieee.org/xsd/ims${profile}/LOM`;
  const schemas = `http://www.imsglobal.org/profile/cc/${profile}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="course" xmlns="${cartridge}" xmlns:lom="${lom}/resource" xmlns:lomimscc="${lom}/manifest"
  xmlns:cpx="http://www.imsglobal.org/xsd/ims${profile}/imscp_extensionv1p2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="${cartridge} ${schemas}/${profile}_imscp_v1p2_v1p0.xsd ${lom}/manifest ${schemas}/LOM/${profile}_lommanifest_v1p0.xsd">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>${version}.0</schemaversion>${metadata}</metadata>
  <organizations>${organization}</organizations>
  <resources>${resources}</resources>
</manifest>`;
}

const webLink = (version: string, title: string, url: string) =>
  `<webLink xmlns="http://www.imsglobal.org/xsd/imsccv1p${version}/imswl_v1p${version}"><title>${title}</title><url href="${url}" target="_self"/></webLink>`;
const forTeachers = `<metadata><lom:lom><lom:educational><lom:intendedEndUserRole><lom:source>IMSGLC_CC_Rolesv1p1</lom:source><lom:value>Instructor</lom:value></lom:intendedEndUserRole></lom:educational></lom:lom></metadata>`;

const topicOf = (items: NewItem[], name: string) => items.find((item) => item.kind === 'topic' && item.name === name);
const messagesOf = (issues: Issue[], code: string) =>
  issues.filter((issue) => issue.code === code).map(({ message }) => message);

// https://github.com/openedx/cc2olx/tree/master/tests/fixtures_data/imscc_files/main
test('a cartridge 1.3 with resource types of 1.1, as Canvas writes it', async (t) => {
  const organization = `<organization identifier="org_1" structure="rooted-hierarchy"><item identifier="LearningModules">
    <item identifier="m1"><title>Sequence</title>
      <item identifier="i1" identifierref="vertical"><title>Vertical</title></item>
      <item identifier="i2" identifierref="lti"><title>Tool</title></item>
      <item identifier="i3" identifierref="qti"><title>Quiz</title></item>
      <item identifier="i4" identifierref="discussion"><title>Discussion</title></item>
      <item identifier="i5" identifierref="image"><title>Image</title></item>
      <item identifier="i6" identifierref="wiki"><title>Wiki</title></item>
      <item identifier="i7" identifierref="pdf"><title>PDF outside of the web resources</title></item>
      <item identifier="i8" identifierref="link"><title>Web link</title></item>
      <item identifier="i9" identifierref="assignment"><title>Essay</title></item>
      <item identifier="i10" identifierref="renamed"><title>Renamed page</title></item>
      <item identifier="i11" identifierref="external_tool"><title>Not in the manifest</title></item>
    </item>
    <item identifier="m2"><title>Sequence 2</title>
      <item identifier="i12" identifierref="vertical"><title>Vertical</title></item>
      <item identifier="i13"><title>Sub header</title></item>
      <item identifier="i14" identifierref="vertical"><title>Vertical</title></item>
      <item identifier="i15" identifierref="key"><title>Solutions</title></item>
    </item></item></organization>`;
  const associated = 'associatedcontent/imscc_xmlv1p1/learning-application-resource';
  const resources = `
    <resource identifier="settings" type="${associated}" href="course_settings/canvas_export.txt">
      <file href="course_settings/module_meta.xml"/><file href="course_settings/canvas_export.txt"/></resource>
    <resource identifier="vertical" type="webcontent" href="wiki_content/vertical.html"><file href="wiki_content/vertical.html"/></resource>
    <resource identifier="lti" type="imsbasiclti_xmlv1p0"><file href="lti.xml"/></resource>
    <resource identifier="qti" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><file href="qti/assessment_qti.xml"/><dependency identifierref="qti_meta"/></resource>
    <resource identifier="qti_meta" type="${associated}" href="qti/assessment_meta.xml"><file href="qti/assessment_meta.xml"/><file href="non_cc_assessments/qti.xml.qti"/></resource>
    <resource identifier="discussion" type="imsdt_xmlv1p1"><file href="discussion.xml"/><dependency identifierref="discussion_meta"/></resource>
    <resource identifier="discussion_meta" type="${associated}" href="missing.xml"><file href="discussion_meta.xml"/></resource>
    <resource identifier="image" type="webcontent" href="web_resources/picture.png"><file href="web_resources/picture.png"/></resource>
    <resource identifier="wiki" type="webcontent" href="wiki_content/wiki.html"><file href="wiki_content/wiki.html"/></resource>
    <resource identifier="pdf" type="webcontent"><file href="extra_files/example.pdf"/></resource>
    <resource identifier="link" type="imswl_xmlv1p3"><file href="weblinks/link.xml"/></resource>
    <resource identifier="assignment" type="assignment_xmlv1p0" href="assignments/1.xml"><file href="assignments/1.xml"/></resource>
    <resource identifier="renamed" type="webcontent" href="wiki_content/renamed"><file href="wiki_content/renamed.html"/></resource>
    <resource identifier="key" type="webcontent" href="web_resources/key.pdf">${forTeachers}<file href="web_resources/key.pdf"/></resource>
    <resource identifier="notes" type="webcontent" href="web_resources/notes.pdf">${forTeachers}<file href="web_resources/notes.pdf"/></resource>`;
  const metadata = `<lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string>Course</lomimscc:string></lomimscc:title></lomimscc:general>
    <lomimscc:lifeCycle><lomimscc:contribute><lomimscc:date><lomimscc:dateTime>2018-08-13</lomimscc:dateTime></lomimscc:date></lomimscc:contribute></lomimscc:lifeCycle>
    <lomimscc:rights><lomimscc:copyrightAndOtherRestrictions><lomimscc:value>yes</lomimscc:value></lomimscc:copyrightAndOtherRestrictions></lomimscc:rights></lomimscc:lom>`;
  const wiki =
    '<html><head><title>Wiki</title><meta name="identifier" content="wiki"/></head><body><img src="$IMS-CC-FILEBASE$/picture.png?canvas_download=1"/><a href="%24IMS-CC-FILEBASE%24/notes.pdf">Notes</a><a href="$WIKI_REFERENCE$/pages/vertical">x</a></body></html>';
  const files = new Map([
    ['course_settings/module_meta.xml', '<modules/>'],
    ['course_settings/canvas_export.txt', 'Q'],
    ['wiki_content/vertical.html', '<html><body>Vertical text</body></html>'],
    ['lti.xml', '<cartridge_basiclti_link/>'],
    ['qti/assessment_qti.xml', '<questestinterop/>'],
    ['qti/assessment_meta.xml', '<quiz/>'],
    ['non_cc_assessments/qti.xml.qti', '<questestinterop/>'],
    ['discussion.xml', '<topic/>'],
    ['discussion_meta.xml', '<topicMeta/>'],
    ['web_resources/picture.png', 'png'],
    ['wiki_content/wiki.html', wiki],
    ['extra_files/example.pdf', '%PDF'],
    ['weblinks/link.xml', webLink('3', 'Link', 'https://www.example.org/?a=1&amp;b=2')],
    ['assignments/1.xml', '<assignment/>'],
    ['wiki_content/renamed.html', '<p>Renamed</p>'],
    ['web_resources/key.pdf', '%PDF'],
    ['web_resources/notes.pdf', '%PDF'],
  ]);
  const { items, issues } = await read(manifestOf({ version: '1.3', metadata, organization, resources }), files);
  t.strictSame(outline(items), [
    ...['level Course', 'grade Course', 'subject Sequence'],
    ...['Vertical', 'Image', 'Wiki', 'PDF outside of the web resources', 'Web link'].map((name) => `topic ${name}`),
    'subject Sequence 2',
    ...['Vertical', 'Vertical (2)', 'Solutions'].map((name) => `topic ${name}`),
  ]);
  t.match(topicOf(items, 'Wiki'), {
    isActive: undefined,
    content: /^<img src="\$IMS-CC-FILEBASE\$/,
    documents: [{ file: 'web_resources/picture.png' }],
  });
  t.equal(topicOf(items, 'Wiki')?.documents?.length, 1, 'a file for teachers is not shown to learners');
  t.match(topicOf(items, 'Web link'), { content: 'Link\nhttps://www.example.org/?a=1&b=2' });
  t.match(topicOf(items, 'Solutions'), { isActive: false, documents: [{ file: 'web_resources/key.pdf' }] });
  t.strictSame(codes(issues), [
    'warning EMPTY_ITEM',
    'warning ASSUMED_LEVEL',
    ...['a tool', 'a quiz', 'a discussion'].map(() => 'warning UNSUPPORTED_RESOURCE'),
    'warning UNSUPPORTED_RESOURCE',
    'warning MISSING_FILE',
    'warning MISSING_RESOURCE',
    'warning RENAMED',
    'warning NOT_FOR_LEARNERS',
    'warning UNUSED_RESOURCE',
    'warning UNUSED_RESOURCE',
  ]);
  t.strictSame(messagesOf(issues, 'UNUSED_RESOURCE'), [
    'The resource "settings" belongs to no topic: data of another product',
    'The resource "notes" belongs to no topic: the file web_resources/notes.pdf',
  ]);
});

// https://github.com/pressbooks/pressbooks-lti-provider/tree/dev/templates/thincc/1_2, with web links beside its tools
test('a thin cartridge 1.2 of tools and web links, as Pressbooks writes it', async (t) => {
  const organization = `<organization identifier="O_1" structure="rooted-hierarchy"><item identifier="I_1">
    <item identifier="I_2"><title>Part 1</title>
      <item identifier="I_3" identifierref="R_1"><title>Chapter 1</title></item>
      <item identifier="I_4" identifierref="R_2"><title>Reading</title></item>
    </item>
    <item identifier="I_5" identifierref="R_3"><title>Appendix</title></item></item></organization>`;
  const resources = `
    <resource identifier="R_1" type="imsbasiclti_xmlv1p0"><file href="R_1.xml"/></resource>
    <resource identifier="R_2" type="imswl_xmlv1p2"><file href="R_2.xml"/></resource>
    <resource identifier="R_3" type="imswl_xmlv1p2"><metadata/><file href="R_3.xml"/></resource>
    <resource identifier="R_4" type="imsqti_xmlv1p2/imscc_xmlv1p2/question-bank"><file href="R_4.xml"/></resource>
    <resource identifier="R_5" type="webcontent" intendeduse="lessonplan" href="plan.html"><file href="plan.html"/></resource>`;
  const metadata = `<lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string language="en">A book</lomimscc:string></lomimscc:title>
    <lomimscc:description><lomimscc:string language="en">About it</lomimscc:string></lomimscc:description></lomimscc:general>
    <lomimscc:educational><lomimscc:context><lomimscc:source>LOMv1.0</lomimscc:source><lomimscc:value>higher education</lomimscc:value></lomimscc:context></lomimscc:educational></lomimscc:lom>`;
  const files = new Map([
    ['R_1.xml', '<cartridge_basiclti_link/>'],
    ['R_2.xml', webLink('2', 'Reading', 'http://www.example.org/reading')],
    ['R_3.xml', webLink('2', 'Script', 'javascript:alert(1)')],
    ['R_4.xml', '<questestinterop/>'],
    ['plan.html', '<p>Plan</p>'],
  ]);
  const { items, issues } = await read(manifestOf({ version: '1.2', metadata, organization, resources }), files);
  t.strictSame(outline(items), ['level A book', 'grade A book', 'subject Part 1', 'topic Reading']);
  t.match(items[0], { description: 'About it' });
  t.match(items[1], { level: 'higher' });
  t.match(topicOf(items, 'Reading'), { content: 'Reading\nhttp://www.example.org/reading' });
  t.strictSame(codes(issues), [
    'warning UNSUPPORTED_RESOURCE',
    'warning INVALID_LINK',
    'warning UNUSED_RESOURCE',
    'warning UNUSED_RESOURCE',
  ]);
  t.match(messagesOf(issues, 'UNUSED_RESOURCE'), [/"R_4" belongs to no topic: a question bank/, /"R_5".*plan\.html/]);
});

// https://github.com/moodle/moodle/tree/MOODLE_311_STABLE/backup/cc/cc_lib
test('a cartridge 1.1 of sections, labels and folders, as Moodle writes it', async (t) => {
  const organization = `<organization identifier="O_1" structure="rooted-hierarchy"><title>Moodle course</title><item identifier="root">
    <item identifier="I_1"><title>Section 1</title>
      <item identifier="I_2" identifierref=""><title>A label</title></item>
      <item identifier="I_3" identifierref="I_3_R"><title>Page</title></item>
      <item identifier="I_4"><title>Folder</title>
        <item identifier="I_5"><title>Inner folder</title>
          <item identifier="I_6" identifierref="I_6_R"><title>Deep file</title></item></item></item>
      <item identifier="I_7" identifierref="I_7_R"><title>Forum</title></item>
      <item identifier="I_8" identifierref="I_8_R"><title>URL</title></item>
    </item></item></organization>`;
  const resources = `
    <resource identifier="I_3_R" type="webcontent" href="i_3/page.html" xml:base="content/"><file href="i_3/page.html"/><file href="i_3/style.css"/><dependency identifierref="I_9_R"/></resource>
    <resource identifier="I_6_R" type="webcontent" href="content/i_6/lesson.mp4"><file href="content/i_6/lesson.mp4"/></resource>
    <resource identifier="I_7_R" type="imsdt_xmlv1p1"><file href="i_7/discussion.xml"/></resource>
    <resource identifier="I_8_R" type="imswl_xmlv1p1"><file href="i_8/weblink.xml"/></resource>
    <resource identifier="I_9_R" type="webcontent" href="content/group.png"><file href="content/group.png"/></resource>`;
  const metadata =
    '<lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string language="en">Moodle course</lomimscc:string></lomimscc:title><lomimscc:keyword><lomimscc:string language="en">school</lomimscc:string></lomimscc:keyword></lomimscc:general></lomimscc:lom>';
  const files = new Map([
    ['content/i_3/page.html', '<html><body><img src="../group.png" alt=""><p>Text</p></body></html>'],
    ['content/i_3/style.css', 'p {}'],
    ['content/i_6/lesson.mp4', 'mp4'],
    ['content/group.png', 'png'],
    ['i_7/discussion.xml', '<topic/>'],
    ['i_8/weblink.xml', webLink('1', '', 'https://www.example.org/')],
    ['.DS_Store', 'x'],
  ]);
  const { items, issues } = await read(manifestOf({ version: '1.1', metadata, organization, resources }), files);
  t.strictSame(outline(items), [
    ...['level Section 1', 'grade Section 1', 'subject Section 1', 'topic Page'],
    'topic URL',
    ...['grade Folder', 'subject Inner folder', 'topic Deep file'],
  ]);
  t.match(topicOf(items, 'Page'), {
    content: '<img src="../group.png" alt=""><p>Text</p>',
    documents: [{ file: 'content/group.png', name: 'group.png' }],
  });
  t.match(topicOf(items, 'Deep file'), { content: 'Deep file', video: { file: 'content/i_6/lesson.mp4' } });
  t.match(topicOf(items, 'URL'), { content: 'https://www.example.org/' });
  t.strictSame(codes(issues), [
    'warning EMPTY_ITEM',
    'warning ASSUMED_LEVEL',
    'warning UNSUPPORTED_RESOURCE',
    'warning UNUSED_FILE',
  ]);
  t.match(messagesOf(issues, 'UNUSED_FILE'), [/\.DS_Store/]);
});

test('pages may be in the encodings that browsers read', async (t) => {
  const text = 'Caf\u00E9';
  const page = (head = '') => `<html><head>${head}</head><body>${text}</body></html>`;
  const utf16 = Buffer.from(`\uFEFF${page()}`, 'utf16le');
  const pages = {
    'UTF-8': page(),
    'UTF-8 that says otherwise': page('<meta charset="utf-16">'),
    'UTF-16 with the low byte first': utf16,
    'UTF-16 with the high byte first': Buffer.from(utf16).swap16(),
    'an encoding of the head': Buffer.from(page('<meta charset="iso-8859-1">'), 'latin1'),
    'another form': Buffer.from(
      page('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
      'latin1',
    ),
    'no encoding': Buffer.from(page(), 'latin1'),
    'an unknown encoding': Buffer.from(page('<meta charset="x">'), 'latin1'),
  };
  const all = Object.keys(pages).map((name, at) => ({ name, at }));
  const organization = `<organization identifier="o"><item identifier="root">${all.map(({ name, at }) => `<item identifier="i${at}" identifierref="r${at}"><title>${name}</title></item>`).join('')}</item></organization>`;
  const resources = all
    .map(
      ({ at }) =>
        `<resource identifier="r${at}" type="webcontent" href="${at}.html"><file href="${at}.html"/></resource>`,
    )
    .join('');
  const files = new Map(Object.values(pages).map((bytes, at) => [`${at}.html`, bytes]));
  const { items } = await read(manifestOf({ version: '1.3', metadata: '', organization, resources }), files);
  for (const { name } of all) t.match(topicOf(items, name), { content: text }, name);
});

// Quadratic time would take longer than a test may.
test('the time to read a cartridge grows with its size only', async (t) => {
  t.equal(readPageContent('<html><body class="a">x <b>y</b></body ></html>'), 'x <b>y</b>');
  t.equal(readPageContent('<p>x</p>'), '<p>x</p>');
  const tags = '<body '.repeat(200_000);
  t.equal(readPageContent(tags), tags.trim());
  const count = 15_000;
  const organization = `<organization identifier="o"><item identifier="root">${'<item identifierref="link"><title>Page</title></item>'.repeat(count)}</item></organization>`;
  const resources = '<resource identifier="link" type="imswl_xmlv1p3"><file href="link.xml"/></resource>';
  const { items } = await read(
    manifestOf({ version: '1.3', metadata: '', organization, resources }),
    new Map([['link.xml', webLink('3', 'Link', 'https://a.example')]]),
  );
  t.equal(items.at(-1)?.name, `Page (${count})`);
});
