const percentage = '(?:100|\\d{1,2})(?:\\.\\d{1,6})?%';
const cueSettings = [
  /^vertical:(?:rl|lr)$/,
  new RegExp(`^line:(?:-?\\d{1,4}(?:\\.\\d{1,6})?|${percentage})(?:,(?:start|center|end))?$`),
  new RegExp(`^position:${percentage}(?:,(?:line-left|center|line-right))?$`),
  new RegExp(`^size:${percentage}$`),
  /^align:(?:start|center|end|left|right)$/,
  /^region:[\w-]{1,100}$/,
];
const regionSettings = [
  /^id:[\w-]{1,100}$/,
  new RegExp(`^width:${percentage}$`),
  /^lines:\d{1,3}$/,
  new RegExp(`^(?:region|viewport)anchor:${percentage},${percentage}$`),
  /^scroll:up$/,
];

const keep = (text: string, known: RegExp[]) =>
  text.split(/[ \t\n]+/).filter((setting) => known.some((pattern) => pattern.test(setting)));

/** The valid settings of a cue; others are left out, as players ignore them. */
export const normalizeCueSettings = (text: string): string =>
  keep(text, cueSettings)
    .map((setting) => ` ${setting}`)
    .join('');

/** The valid settings of a region, one a line. */
export const normalizeRegionSettings = (text: string): string[] => keep(text, regionSettings);
