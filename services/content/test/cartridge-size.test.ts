import { test } from 'tap';
import { codes, read } from './cartridge-files.ts';

const manifestOf = (items: string, resources: string, description = '') =>
  `<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion>
    <lom><general><description><string>${description}</string></description></general></lom></metadata>
  <organizations><organization identifier="o"><item identifier="root">${items}</item></organization></organizations>
  <resources>${resources}</resources>
</manifest>`;
const itemXml = (title: string, children = '', attributes = '') =>
  `<item${attributes}><title>${title}</title>${children}</item>`;
const topicXml = (title: string, resource = 'r') => itemXml(title, '', ` identifierref="${resource}"`);
const resource = '<resource identifier="r" type="webcontent" href="a.pdf"><file href="a.pdf"/></resource>';
const files = new Map([['a.pdf', '%PDF']]);

test('long titles of folders, and the description of a cartridge, are not repeated in what is below', async (t) => {
  const long = 'x'.repeat(100_000);
  const topics = topicXml('One') + topicXml('Two');
  const folders = [long, long, 'C', 'B', 'A'].reduce((inner, title) => itemXml(title, inner), topics);
  const { items, issues } = await read(manifestOf(folders + itemXml('D', topics), resource, long), files);
  t.equal(items.filter(({ kind }) => kind === 'topic').length, 4);
  for (const item of items) t.ok(JSON.stringify(item).length < 10_000, `${item.kind} ${item.name.slice(0, 10)}`);
  const cutNames = codes(issues).filter((code) => code === 'warning TRUNCATED');
  t.equal(cutNames.length, 2, 'the topics below the long folders');
});
