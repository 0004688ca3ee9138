import type { Attack } from './markdown-attacks.ts';

/** Code that sets a global when it runs. */
const RUN = 'window.attacked=1';
const EVIL = 'https://evil.example';

const handlers = [
  'onclick',
  'onload',
  'onerror',
  'onfocus',
  'onmouseover',
  'ontoggle',
  'onanimationstart',
  'onbeforematch',
  'oncontentvisibilityautostatechange',
  'ONPOINTERENTER',
];
const schemes = [
  'javascript:',
  'JaVaScRiPt:',
  ' javascript:',
  '\u0001javascript:',
  'java\tscript:',
  'java\nscript:',
  'java&#x0A;script:',
  '&#106;avascript:',
  '&#x6A&#x61vascript:',
  'javascript&colon;',
  'java&Tab;script:',
  'javascript://a.example/%0A',
  'vbscript:',
  'data:text/html,',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==#',
  'blob:null/',
  'view-source:javascript:',
  'filesystem:https://a.example/',
  'feed:javascript:',
  'jar:javascript:',
];

/** Attacks in HTML, for each way in which HTML can enter. */
export const htmlAttacks: readonly Attack[] = [
  ...handlers.map((name) => ({
    name: `handler ${name}`,
    input: `<div ${name}="${RUN}" tabindex="0" autofocus>x</div>`,
  })),
  ...handlers.map((name) => ({ name: `handler ${name} after a slash`, input: `<b/${name}=${RUN}>x</b>` })),
  ...schemes.map((scheme) => ({ name: `link ${JSON.stringify(scheme)}`, input: `<a href="${scheme}${RUN}">x</a>` })),
  ...schemes.map((scheme) => ({
    name: `image ${JSON.stringify(scheme)}`,
    input: `<img src="${scheme}${RUN}" alt="x">`,
  })),
  ...[
    'script',
    'iframe',
    'object',
    'embed',
    'svg',
    'math',
    'style',
    'template',
    'noscript',
    'xmp',
    'textarea',
    'title',
    'select',
    'noembed',
    'noframes',
    'plaintext',
  ].map((tag) => ({
    name: `markup hidden in ${tag}`,
    input: `<${tag}><p title="</${tag}><img src=x onerror=${RUN}>">x</p></${tag}>`,
  })),
  { name: 'a script', input: `<script>${RUN}</script>` },
  { name: 'a script in two parts', input: `<scr<script>ipt>${RUN}</scr</script>ipt>` },
  { name: 'a script by its address', input: `<script src="${EVIL}/a.js"></script>` },
  {
    name: 'a script in SVG',
    input: `<svg><script>${RUN}</script><animate onbegin=${RUN} attributeName=x dur=1s></svg>`,
  },
  {
    name: 'an SVG link that is animated',
    input: `<svg><a><animate attributeName=href values="javascript:${RUN}"/><text y=20>x</text></a></svg>`,
  },
  { name: 'a document in a frame', input: `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>` },
  { name: 'a frame with a URL', input: `<iframe src="javascript:parent.${RUN}"></iframe>` },
  {
    name: 'a style in MathML',
    input: `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  },
  {
    name: 'a form in an invalid position',
    input: `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  },
  {
    name: 'a comment that parsers end differently',
    input: `<svg></p><style><!--</style><img src onerror=${RUN}>--></svg>`,
  },
  { name: 'a comment that ends immediately', input: `<!--><img src=x onerror=${RUN}>-->` },
  { name: 'a comment that ends with a bang', input: `<!-- --!><img src=x onerror=${RUN}> -->` },
  { name: 'a processing instruction', input: `<?xml version="1.0"?><img src=x onerror=${RUN}>` },
  { name: 'a CDATA section', input: `<![CDATA[<img src=x onerror=${RUN}>]]>` },
  { name: 'a tag in an attribute', input: `<p title="<img src=x onerror=${RUN}>">x</p>` },
  { name: 'an attribute with a backtick', input: `<p title=\`x onmouseover=${RUN}\`>x</p>` },
  { name: 'a quote that never ends', input: `<p title="x><img src=x onerror=${RUN}>` },
  { name: 'quotes in invalid positions', input: `<b "'"'><img src=x onerror=${RUN}>` },
  { name: 'an unclosed tag', input: `<img src=x onerror=${RUN}` },
  { name: 'a duplicate attribute', input: `<a href="https://a.example" href="javascript:${RUN}">x</a>` },
  { name: 'character references that become tags', input: `&lt;img src=x onerror=${RUN}&gt;` },
  {
    name: 'nested character references',
    input: `<p title="&amp;quot;&amp;gt;&amp;lt;img src=x onerror=${RUN}&amp;gt;">&amp;lt;script&amp;gt;</p>`,
  },
  { name: 'a null character in a name', input: `<scr\0ipt>${RUN}</scr\0ipt><img\0src=x onerror=${RUN}>` },
  {
    name: 'names that clobber the document',
    input: '<a id="documentElement" name="cookie">x</a><img id="body" name="body"><p id="attacked">x</p>',
  },
  {
    name: 'names that clobber a form',
    input: '<form id="x"><input name="attributes"><input name="parentNode"></form>',
  },
  {
    name: 'a style that covers the page',
    input: '<div style="position:fixed;inset:0;z-index:99999;opacity:0">x</div>',
  },
  {
    name: 'a class of the widget',
    input: '<div class="overlay panel" id="panel" part="panel" slot="header" is="agent-chat">x</div>',
  },
  {
    name: 'a stylesheet',
    input: `<style>@import "${EVIL}/a.css"; :host{background:url(${EVIL}/b.png)}</style><link rel=stylesheet href="${EVIL}/c.css">`,
  },
  {
    name: 'a form',
    input: `<form action="${EVIL}"><input name=p autofocus><button formaction="javascript:${RUN}">x</button></form>`,
  },
  { name: 'a meta refresh', input: `<meta http-equiv="refresh" content="0;url=${EVIL}">` },
  { name: 'a base element', input: `<base href="${EVIL}/"><a href="a">x</a>` },
  { name: 'a meta policy', input: `<meta http-equiv="content-security-policy" content="default-src 'none'">` },
  {
    name: 'images that load',
    input: `<img src="${EVIL}/a.png" srcset="${EVIL}/b.png 2x" loading=eager><picture><source srcset="${EVIL}/c.png"><img></picture>`,
  },
  {
    name: 'media that load',
    input: `<video src="${EVIL}/a.mp4" poster="${EVIL}/a.png" autoplay></video><audio src="${EVIL}/a.mp3" autoplay></audio><input type=image src="${EVIL}/d.png">`,
  },
  {
    name: 'legacy attributes that load',
    input: `<table background="${EVIL}/a.png"><td background="${EVIL}/b.png">x</td></table><body background="${EVIL}/c.png">`,
  },
  {
    name: 'a ping and a download',
    input: `<a href="https://a.example" ping="${EVIL}" download target="_top" referrerpolicy="unsafe-url">x</a>`,
  },
  {
    name: 'a popover and a command',
    input:
      '<div popover="auto" id="p">x</div><button popovertarget="p" command="show-modal" commandfor="p">x</button><dialog open>x</dialog>',
  },
  { name: 'a shadow root', input: `<div><template shadowrootmode="open"><img src=x onerror=${RUN}></template></div>` },
  {
    name: 'elements of the widget',
    input: `<agent-chat endpoint="${EVIL}"></agent-chat><agent-chat-html></agent-chat-html><agent-chat-image></agent-chat-image>`,
  },
  { name: 'an image map', input: `<img usemap="#m"><map name="m"><area href="javascript:${RUN}"></map>` },
  { name: 'a script namespace', input: `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${RUN}</x:script>` },
  {
    name: 'an address inside a quote',
    input: `<q cite="javascript:${RUN}">x</q><blockquote cite="javascript:${RUN}">x</blockquote>`,
  },
];
