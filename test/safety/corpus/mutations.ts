import { payloads, RUN } from './payload.ts';

/**
 * Markup that a second parse reads differently: text in one context is a tag in the other. Each uses a rule of the HTML
 * parser, named in its note.
 */
export const mutationPayloads = payloads('mutation', [
  ['a style is text in HTML and elements in SVG', `<svg><p><style><b title="</style><img src=x onerror=${RUN}>">`],
  ['a style is text in HTML and elements in MathML', `<math><p><style><b title="</style><img src=x onerror=${RUN}>">`],
  [
    'a glyph stays in MathML, a table leaves its text',
    `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}></style></mglyph></table></mtext></math>`,
  ],
  [
    'a form in a form is gone the second time',
    `<form id=a><div></form><form id=b><math><mtext></form><form><mglyph><style></math><img src=x onerror=${RUN}>`,
  ],
  [
    'what stands in a table out of place goes before it',
    `<table><svg><tr><td><style></table><img title="</style><img src=x onerror=${RUN}>"></svg>`,
  ],
  [
    'a paragraph closes itself in a button',
    `<p><button><p><svg><style></p><a title="</style><img src=x onerror=${RUN}>">`,
  ],
  [
    'formatting is adopted over blocks',
    `<b><i><p></b><svg><style></i><a title="</style><img src=x onerror=${RUN}>"></p>`,
  ],
  [
    'an anchor in an anchor is taken apart',
    `<a href=https://example.com/1><table><a href="javascript:${RUN}">x</table></a>`,
  ],
  ['headings close one another', `<h1><svg><h2><style></h1><a title="</style><img src=x onerror=${RUN}>">`],
  ['a text area ends at the first end', `<textarea><svg></textarea><img src=x onerror=${RUN}></svg></textarea>`],
  ['a title is text where HTML is', `<svg></p><title><a id="</title><img src=x onerror=${RUN}>">`],
  [
    'a description is HTML in SVG',
    `<svg><desc><table><svg><style></desc><img title="</style><img src=x onerror=${RUN}>">`,
  ],
  [
    'an annotation is HTML by its encoding',
    `<math><annotation-xml encoding="TEXT/html"><style><img src=x onerror=${RUN}></style></annotation-xml>`,
  ],
  [
    'an annotation without an encoding is not',
    `<math><annotation-xml><style><img src=x onerror=${RUN}></style></annotation-xml></math>`,
  ],
  [
    'a font with a colour leaves SVG',
    `<svg><font color=red><style><a title="</style><img src=x onerror=${RUN}>"></font></svg>`,
  ],
  ['a font without one does not', `<svg><font><style><a title="</style><img src=x onerror=${RUN}>"></font></svg>`],
  ['a break leaves SVG', `<svg><br><style><a title="</style><img src=x onerror=${RUN}>"></svg>`],
  ['a closing break opens one', `<svg></br><style><a title="</style><img src=x onerror=${RUN}>">`],
  ['a closing paragraph opens one', `<math></p><style><!--</style><img src=x onerror=${RUN}>-->`],
  ['CDATA is a comment in HTML', `<svg><p></p><![CDATA[</svg><img src=x onerror=${RUN}>]]>`],
  ['CDATA is text in SVG', `<svg><![CDATA[><img src=x onerror=${RUN}>]]></svg>`],
  [
    'a comment ends in three ways',
    `<!--><img src=x onerror=${RUN}>--><!---><img src=x onerror=${RUN}>--><!-- --!><img src=x onerror=${RUN}>-->`,
  ],
  ['a comment nests nowhere', `<!-- <!-- --> <img src=x onerror=${RUN}> -->`],
  ['a comment with a null', `<!--\0--><img src=x onerror=${RUN}><!---->`],
  ['a bogus comment', `</ <img src=x onerror=${RUN}>><!x <img src=x onerror=${RUN}>>`],
  ['a select drops what it does not know', `<select><svg><style></select><img src=x onerror=${RUN}></style>`],
  ['a select takes keys', `<select><option><keygen><img src=x onerror=${RUN}></select>`],
  ['an option group ends', `<select><optgroup><template><img src=x onerror=${RUN}></template></select>`],
  [
    'a template has another document',
    `<template><s><template><s><img src=x onerror=${RUN}>@</s></template></s></template>`,
  ],
  ['a template in a table', `<table><template><tr><td><style></template></table><img src=x onerror=${RUN}>`],
  [
    'a caption leaves its table',
    `<table><caption><svg><title><table><caption></table></title></svg><img src=x onerror=${RUN}></caption></table>`,
  ],
  [
    'a column group takes templates',
    `<table><colgroup><template><style><!--</template></colgroup></table><img src=x onerror=${RUN}>-->`,
  ],
  ['a frame set replaces an empty body', `<frameset><frame></frameset><noframes></noframes><img src=x onerror=${RUN}>`],
  ['no script is text with scripts', `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`],
  ['no embed is text', `<noembed><p title="</noembed><img src=x onerror=${RUN}>"></noembed>`],
  ['no frames is text', `<noframes><p title="</noframes><img src=x onerror=${RUN}>"></noframes>`],
  ['xmp is text', `<svg><xmp><p title="</xmp><img src=x onerror=${RUN}>"></svg>`],
  ['a frame is text', `<iframe><p title="</iframe><img src=x onerror=${RUN}>"></iframe>`],
  ['depth is flattened at 512', `${'<div>'.repeat(513)}<svg><style><a title="</style><img src=x onerror=${RUN}>">`],
  ['depth with formatting', `${'<b>'.repeat(600)}<table><svg><style><a title="</style><img src=x onerror=${RUN}>">`],
  ['attributes are doubled', `<p title='"' title="><img src=x onerror=${RUN}>">x</p>`],
  ['attributes without a blank', `<p title="a"b="c"onclick=${RUN}d='e'>x</p>`],
  ['an attribute that is a quote', `<p "=x title='"><img src=x onerror=${RUN}>'>x</p>`],
  ['an attribute that is an equals sign', `<p ==""onclick=${RUN} title="=">x</p>`],
  ['an attribute with a newline', `<p title="a\n>\n<img src=x onerror=${RUN}>">x</p>`],
  [
    'references in attributes end otherwise',
    `<p title="&lt;img src=x onerror=${RUN}&gt &ltimg &quot><img src=x onerror=${RUN}>">x</p>`,
  ],
  ['references without a semicolon', `&ltimg src=x onerror=${RUN}&gt &LT;script&GT;${RUN}&LT;/script&GT;`],
  ['references of a reference', `&amp;lt;img src=x onerror=${RUN}&amp;gt; &amp;#60;svg onload=${RUN}>`],
  ['a reference to a null', `<a href="java&#0;script:${RUN}">x</a><b title="&#0;"onclick=${RUN}>y</b>`],
  ['a reference beyond Unicode', `<a href="&#x110000;javascript:${RUN}">x</a>&#xFFFFFFFFFF;`],
  ['a reference of Windows', `<a href="&#128;javascript:${RUN}">x</a>`],
  ['a ruby closes its parts', `<ruby><rt><svg><rp><style></rt><a title="</style><img src=x onerror=${RUN}>"></ruby>`],
  ['a list item closes another', `<ul><li><svg><li><style></li><a title="</style><img src=x onerror=${RUN}>"></ul>`],
  ['a definition closes another', `<dl><dt><math><dd><style></dt><a title="</style><img src=x onerror=${RUN}>"></dl>`],
  ['a body in the middle', `<div><body title="</div><img src=x onerror=${RUN}>"><head><html onclick=${RUN}>`],
  ['an image is an img', `<svg><image title="</svg><img src=x onerror=${RUN}>"></svg><image src=x onerror=${RUN}>`],
  ['a null is dropped or kept', `<svg><st\0yle><a title="</st\0yle><img src=x onerror=${RUN}>">`],
  ['a carriage return is a newline', `<b\ronclick=${RUN}>x</b><a href="java\rscript:${RUN}">y</a>`],
  ['a name with a colon', `<svg:style><a title="</svg:style><img src=x onerror=${RUN}>">`],
  ['a tag name with quotes', `<b'"onclick=${RUN}>x</b><a"b onclick=${RUN}>y</a>`],
  ['a slash ends nothing', `<svg/><style><a title="</style><img src=x onerror=${RUN}>"><img/src=x/onerror=${RUN}/>`],
]);
