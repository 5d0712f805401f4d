import { type FieldIssue, invalid } from '@lms/service/problems';
import { normalizeCueSettings, normalizeRegionSettings } from './cue-settings.ts';
import { normalizeCueText } from './cue-text.ts';

/** One cue every two seconds for eleven hours. */
const maxCues = 20_000;

interface Block {
  /** The number of its first line. */
  at: number;
  lines: string[];
}

interface Cue {
  startMs: number;
  text: string;
}

const issue = (message: string, value: unknown = null): FieldIssue => ({ field: 'captions', message, value });
const unreadable = (at: number, message: string, line?: string) => invalid(issue(`line ${at}: ${message}`, line));

/**
 * Reads WebVTT or SubRip and writes it as WebVTT with cues, regions and the tags of WebVTT in it: no styles, no comments, no
 * other markup. @throws 422 with the line that cannot be read
 */
export function toWebVtt(bytes: Buffer): string {
  const lines = decode(bytes).split(/\r\n|\r|\n/);
  const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '');
  const blocks = readBlocks(lines, isWebVtt);
  const regions: string[] = [];
  const cues: Cue[] = [];
  for (const block of isWebVtt ? withoutHeader(blocks) : blocks) {
    const [first = ''] = block.lines;
    if (isWebVtt && /^(?:NOTE|STYLE)(?:[ \t]|$)/.test(first)) continue;
    if (isWebVtt && /^REGION[ \t]*$/.test(first)) {
      regions.push(['REGION', ...normalizeRegionSettings(block.lines.slice(1).join(' '))].join('\n'));
      continue;
    }
    cues.push(readCue(block, isWebVtt ? webVttTiming : subRipTiming));
    if (cues.length > maxCues) throw unreadable(block.at, `there are more than ${maxCues} cues`);
  }
  if (cues.length === 0)
    throw isWebVtt
      ? invalid(issue('must contain a cue'))
      : unreadable(1, 'must be WEBVTT, or the first cue of SubRip', lines[0]);
  // SubRip files are often out of order; WebVTT must not be.
  cues.sort((one, other) => one.startMs - other.startMs);
  return `${['WEBVTT', ...regions, ...cues.map(({ text }) => text)].join('\n\n')}\n`;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '\uFFFD');
  } catch {
    throw unreadable(lineOfInvalidByte(bytes), 'must be UTF-8');
  }
}

function lineOfInvalidByte(bytes: Buffer): number {
  // A line is decoded again for the number of the first invalid one only.
  let at = 1;
  for (let start = 0; start < bytes.length; at += 1) {
    const end = bytes.indexOf('\n', start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (line.toString().includes('\uFFFD') && !Buffer.from(line.toString()).equals(line)) return at;
    if (end < 0) return at;
    start = end + 1;
  }
  return at;
}

/** Groups the lines between blank ones. In WebVTT, a line of spaces belongs to its cue, unless another cue follows. */
function readBlocks(lines: string[], isWebVtt: boolean): Block[] {
  const blocks: Block[] = [];
  let current: Block | undefined;
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === '';
    const isBeforeCue = () => lines.slice(index + 1, index + 3).some((next) => next.includes('-->'));
    if (isBlank && (!current || line === '' || !isWebVtt || isBeforeCue())) current = undefined;
    else if (current) current.lines.push(line);
    else {
      current = { at: index + 1, lines: [line] };
      blocks.push(current);
    }
  }
  return blocks;
}

function withoutHeader([header, ...blocks]: Block[]): Block[] {
  const misplaced = header?.lines.findIndex((line) => line.includes('-->')) ?? -1;
  if (header && misplaced > 0)
    throw unreadable(header.at + misplaced, 'a blank line must precede the cue', header.lines[misplaced]);
  return blocks;
}

const webVttTime = '(?:(\\d{2,4}):)?([0-5]\\d):([0-5]\\d)\\.(\\d{3})';
const subRipTime = '(\\d{1,4}):([0-5]?\\d):([0-5]?\\d)[,.](\\d{1,3})';
const timingOf = (time: string) => new RegExp(`^[ \\t]*${time}[ \\t]*-->[ \\t]*${time}(?:[ \\t](.*))?$`, 's');
const webVttTiming = timingOf(webVttTime);
const subRipTiming = timingOf(subRipTime);

function readCue({ at, lines }: Block, timing: RegExp): Cue {
  // A line before the timing is the name or number of the cue.
  const timingIndex = lines[0]?.includes('-->') ? 0 : 1;
  const line = lines[timingIndex];
  if (timing === subRipTiming && timingIndex === 1 && !/^[ \t]*\d+[ \t]*$/.test(lines[0] ?? ''))
    throw unreadable(at, 'must be WEBVTT, or the number of a cue of SubRip', lines[0]);
  const found = timing.exec(line ?? '');
  if (!found)
    throw unreadable(at + (line === undefined ? 0 : timingIndex), 'must be the timing of a cue', line ?? lines[0]);
  const [startMs, endMs] = [toMs(found.slice(1, 5)), toMs(found.slice(5, 9))];
  if (endMs <= startMs) throw unreadable(at + timingIndex, 'the cue must end after it starts', line);
  const misplaced = lines.findIndex((other, index) => index > timingIndex && other.includes('-->'));
  if (misplaced > 0) throw unreadable(at + misplaced, 'a blank line must precede the cue', lines[misplaced]);

  const name = timingIndex === 1 && timing === webVttTiming ? [lines[0]] : [];
  const settings = timing === webVttTiming ? normalizeCueSettings(found[9] ?? '') : '';
  const head = [...name, `${toTime(startMs)} --> ${toTime(endMs)}${settings}`];
  // A line of nothing but unknown tags must not become the blank line that ends a cue.
  const text = normalizeCueText(lines.slice(timingIndex + 1).join('\n')).split('\n');
  return { startMs, text: [...head, ...text.filter((part) => part.trim() !== '')].join('\n') };
}

const toMs = ([hours = '0', minutes, seconds, fraction = '']: (string | undefined)[]) =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, '0'));

function toTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = String(ms % 1_000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${fraction}`;
}
