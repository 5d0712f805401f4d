const markup = /<([\da-z/][^<>]*)>|&(?:amp|lt|gt|nbsp|lrm|rlm|quot|#\d{1,7}|#x[\da-f]{1,6});|[<>&]/gi;
// Commands of SubRip editors, as in `{\an8}`.
const editorCommand = /\{\\[^{}\n]*\}/g;

const endTag = /^\/(?:c|i|b|u|v|lang|ruby|rt)$/;
const plainTag = /^(?:c|i|b|u|ruby|rt)(?:\.[\w-]+)*$/;
const annotatedTag = /^((?:v|lang)(?:\.[\w-]+)*)[ \t\n]([^&]+)$/;
const timestamp = /^(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}$/;
const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

/**
 * The text of a cue with nothing but the tags of WebVTT in it; other tags are left out, as players ignore them. What is not
 * a tag or a character reference is escaped.
 */
export const normalizeCueText = (text: string): string =>
  text.replaceAll(editorCommand, '').replaceAll(markup, (found, tag?: string) => {
    if (tag === undefined) return escapes[found] ?? found;
    if (endTag.test(tag) || plainTag.test(tag) || timestamp.test(tag)) return found;
    const [, start, annotation] = annotatedTag.exec(tag) ?? [];
    return annotation === undefined ? '' : `<${start} ${annotation.replaceAll(/\s+/g, ' ').trim()}>`;
  });
