import { html } from 'ghtml';

const style = `
:root { color-scheme: light dark; accent-color: #2557d6; }
body { margin: 0 auto; max-width: 24rem; padding: 15vh 1rem; font: 16px/1.5 system-ui, sans-serif; }
label, button { display: block; margin-top: 1rem; }
input, button { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit; }
[role=alert] { color: light-dark(#b3261e, #ff8a80); }
footer { margin-top: 1.5rem; font-size: .85rem; }
`;

/** A page with content that is HTML already. `html` escapes values, except after an exclamation mark. */
export const renderPage = (title: string, content: string): string => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'">
<title>${title}</title>
<style>!${style}</style>
<h1>${title}</h1>
!${content}
`;
