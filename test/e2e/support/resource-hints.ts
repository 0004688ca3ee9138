/** Documents that connect to a server by `<link rel="preconnect">`, which no policy stops. By how the element is made. */

/** As a string of an inline script. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const link = (href: string): string => `<link rel="preconnect" href="${href}">`;
const xmlLink = (href: string, name = 'link'): string => {
  const [prefix] = name.split(':');
  const space = name.includes(':') ? `xmlns:${String(prefix)}` : 'xmlns';
  return `<${name} ${space}="http://www.w3.org/1999/xhtml" rel="preconnect" href="${href}"></${name}>`;
};

/** A script with the markup in `html`, as XML in `xml`, and with a prefix in `prefixed`. */
const script =
  (code: string) =>
  (href: string): string =>
    `<body><div id="d"></div><script>{
      const html = ${quoted(link(href))}, xml = ${quoted(xmlLink(href))}, prefixed = ${quoted(xmlLink(href, 'x:link'))};
      const XHTML = 'http://www.w3.org/1999/xhtml';
      const xmlDocument = () => document.implementation.createDocument(XHTML, 'div');
      const parse = (text, type) => new DOMParser().parseFromString(text, type);
      const trusted = () => globalThis.trustedTypes.createPolicy('own', { createHTML: (text) => text }).createHTML(html);
      ${code} }</script>`;

/** A script that makes an element without markup. */
const element = (create: string): ((href: string) => string) => {
  const make = script(`const made = ${create}; made.setAttribute('rel', 'preconnect');
    made.setAttribute('href', html.split('"')[3]); document.body.append(made);`);
  return (href) => make(href);
};

export const RESOURCE_HINTS: Readonly<Record<string, (href: string) => string>> = {
  'its markup': link,
  'its markup in capitals': (href) => `<LINK/rel=preconnect\nhref="${href}">`,
  'a name at the end of a line': (href) => `<link\nrel=preconnect href="${href}">`,
  'markup that only the preload scanner reads': (href) =>
    `<script>document.write('<!-' + '-')</script>${link(href)}<!-- -->`,
  'markup in SVG': (href) => `<svg><foreignObject><div>${link(href)}</div></foreignObject></svg>`,
  'markup in MathML': (href) => `<math><annotation-xml encoding="text/html">${link(href)}</annotation-xml></math>`,
  'a template': (href) =>
    `<body><template id="t">${link(href)}</template><script>document.body.append(t.content)</script>`,
  'a clone of a template': script(
    `const t = document.createElement('template'); t.innerHTML = html; document.body.append(document.importNode(t.content, true));`,
  ),
  'createElement()': element(`document.createElement('link')`),
  'createElement() in capitals': element(`document.createElement('LINK')`),
  'createElement() with a name that changes': element(
    `document.createElement({ n: 0, toString() { return this.n++ ? 'p' : 'link' } })`,
  ),
  'createElement() of another document': element(
    `document.implementation.createHTMLDocument('').createElement('link')`,
  ),
  'createElement() of an XML document': element(`xmlDocument().createElement('link')`),
  'createElementNS()': element(`document.createElementNS(XHTML, 'link')`),
  'createElementNS() with a prefix': element(`document.createElementNS(XHTML, 'x:link')`),
  'createDocument()': element(`document.implementation.createDocument(XHTML, 'link').documentElement ?? d`),
  'createDocument() with a prefix': element(
    `document.implementation.createDocument(XHTML, 'x:link').documentElement ?? d`,
  ),
  'a custom element': element(
    `(() => { class Own extends HTMLLinkElement {} customElements.define('own-link', Own, { extends: 'link' });
      try { return new Own() } catch { return d } })()`,
  ),
  'a custom element whose options change': element(
    `(() => { class Own extends HTMLLinkElement {} let n = 0;
      customElements.define('own-link', Own, { get extends() { return n++ ? 'p' : 'link' } });
      try { return new Own() } catch { return d } })()`,
  ),
  innerHTML: script('d.innerHTML = html'),
  'innerHTML with an object': script(`d.innerHTML = { n: 0, toString() { return this.n++ ? 'a' : html } }`),
  'innerHTML with the type of its own policy': script('d.innerHTML = trusted()'),
  'innerHTML of a shadow root': script(`d.attachShadow({ mode: 'closed' }).innerHTML = html`),
  'innerHTML of another document': script(
    `const other = document.implementation.createHTMLDocument(''); other.body.innerHTML = html; document.body.append(other.body);`,
  ),
  'innerHTML in a template': script(
    `const t = document.createElement('template'); t.innerHTML = '<div></div>'; t.content.firstChild.innerHTML = html; document.body.append(t.content);`,
  ),
  'innerHTML of an XML document': script(
    `const root = xmlDocument().documentElement; root.innerHTML = xml; document.body.append(root);`,
  ),
  'innerHTML of an XML document with a prefix': script(
    `const root = xmlDocument().documentElement; root.innerHTML = prefixed; document.body.append(root);`,
  ),
  outerHTML: script('d.outerHTML = html'),
  'outerHTML of an XML document with a prefix': script(
    `const root = xmlDocument().documentElement; root.innerHTML = '<p/>'; root.firstChild.outerHTML = prefixed; document.body.append(root);`,
  ),
  'insertAdjacentHTML()': script(`d.insertAdjacentHTML('beforeend', html)`),
  'insertAdjacentHTML() with the type of its own policy': script(`d.insertAdjacentHTML('beforeend', trusted())`),
  'insertAdjacentHTML() whose position moves the element into an XML document': script(
    `const root = xmlDocument().documentElement; const e = document.createElement('div');
    e.insertAdjacentHTML({ toString() { root.append(e); return 'beforeend'; } }, prefixed); document.body.append(e);`,
  ),
  'insertAdjacentHTML() of an XML document with a prefix': script(
    `const root = xmlDocument().documentElement; root.insertAdjacentHTML('beforeend', prefixed); document.body.append(root);`,
  ),
  'a fragment': script('document.body.append(document.createRange().createContextualFragment(html))'),
  'a fragment with the type of its own policy': script(
    'document.body.append(document.createRange().createContextualFragment(trusted()))',
  ),
  'a fragment of an XML document with a prefix': script(
    `const root = xmlDocument().documentElement; const range = root.ownerDocument.createRange(); range.selectNodeContents(root);
     document.body.append(range.createContextualFragment(prefixed));`,
  ),
  'templates in a fragment': script(
    `const made = document.createRange().createContextualFragment('<template><template>' + html + '</template></template>');
     document.body.append(made.firstChild.content.firstChild.content);`,
  ),
  'a parsed document': script(`document.body.append(...parse(html, 'text/html').head.children)`),
  'a template in a parsed document': script(
    `document.body.append(parse('<template>' + html + '</template>', 'text/html').querySelector('template').content)`,
  ),
  'parsed XML': script(`document.body.append(parse('<d>' + xml + '</d>', 'text/xml').documentElement)`),
  'parsed XML with a prefix': script(
    `document.body.append(parse('<d>' + prefixed + '</d>', 'application/xhtml+xml').documentElement)`,
  ),
  'parsed XML with an entity': script(
    `const value = xml.replaceAll('"', "'").replaceAll('<', '&#60;');
     document.body.append(parse('<!DOCTYPE d [<!ENTITY e "' + value + '">]><d>&e;</d>', 'text/xml').documentElement);`,
  ),
  'parsed XML that is only this': script(`document.body.append(parse(xml, 'application/xml').documentElement ?? d)`),
  'parsed SVG': script(
    `document.body.append(parse('<svg xmlns="http://www.w3.org/2000/svg"><foreignObject>' + xml + '</foreignObject></svg>', 'image/svg+xml').documentElement)`,
  ),
  'document.write()': script('document.write(html)'),
  'document.write() with the type of its own policy': script('document.write(trusted())'),
  'document.write() by character': script('for (const one of html) document.write(one)'),
  'document.write() of another document': script(
    `const other = document.implementation.createHTMLDocument(''); other.open(); other.write(html); document.body.append(...other.head.childNodes);`,
  ),
  'document.write() and the text after the script': (href) =>
    ['<', '<l', '<li', '<lin', '<LINK']
      .map(
        (start) =>
          `<script>document.write('${start}')</script>${'<link'.slice(start.length)} rel="preconnect" href="${href}">`,
      )
      .join(''),
  'document.write() of a script that begins it': (href) =>
    `<script>document.write('<script>document.write("<l")</scr' + 'ipt>i'); document.write('nk rel=preconnect href="${href}">')</script>`,
  'document.writeln()': script('document.writeln(html)'),
  'a document that was opened again': script(
    'setTimeout(() => { document.open(); for (const one of html) document.write(one); document.close(); })',
  ),
  'methods that parse HTML without a policy': script(
    `for (const name of ['setHTMLUnsafe', 'setHTML']) try { d[name]?.(html) } catch {}
     try { document.body.append(...Document.parseHTMLUnsafe(html).head.childNodes) } catch {}`,
  ),
  'a frame': (href) => `<iframe srcdoc="${link(href).replaceAll('"', '&quot;')}"></iframe>`,
  'methods that were replaced': script(
    `RegExp.prototype.exec = () => null; String.prototype.indexOf = () => -1; String.prototype.slice = () => '';
     String.prototype.toLowerCase = () => 'p'; Element.prototype.matches = () => false;
     Object.defineProperty(Element.prototype, 'localName', { get: () => 'p' });
     Object.defineProperty(Element.prototype, 'namespaceURI', { get: () => 'p' });
     Function.prototype.call = Function.prototype.apply = Reflect.apply = () => undefined;
     d.innerHTML = html; document.body.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: html.split('"')[3] }));`,
  ),
  'an iterator that was replaced': script(
    `Array.prototype[Symbol.iterator] = function* () { yield html; yield 0; }; d.innerHTML = html; d.insertAdjacentHTML('beforeend', html);`,
  ),
  'an accessor that was deleted': script(
    `const { set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML'); delete Element.prototype.innerHTML; set.call(d, html);`,
  ),
};

/** The documents in which `<link>` and markup have to work otherwise as before, and what they report. */
export const HARMLESS = `<!doctype html><link rel="stylesheet" href="a.css"><style>#p { color: rgb(1, 2, 3) }</style><p id="p">text</p><div id="d"></div><script>
  const seen = [];
  const made = document.createElement('link');
  made.rel = 'stylesheet'; made.href = 'b.css'; document.head.append(made);
  d.innerHTML = '<b>1</b>'; d.innerHTML += '<i>2</i>'; d.insertAdjacentHTML('beforeend', '<u>3</u>'); d.firstChild.outerHTML = '<s>0</s>';
  seen.push(d.innerHTML);
  d.innerHTML = null;
  seen.push(d.innerHTML, getComputedStyle(p).color, document.body.innerText);
  class Own extends HTMLElement { connectedCallback() { this.textContent = 'own'; } }
  customElements.define('own-element', Own);
  d.append(document.createElement('own-element'));
  seen.push(d.textContent);
  seen.push(document.createRange().createContextualFragment('<template><b>4</b></template>').firstChild.innerHTML);
  seen.push(new DOMParser().parseFromString('<a><li' + 'nk>5</li' + 'nk></a>', 'text/xml').documentElement.textContent);
  const links = [1, 2]; let count = 0;
  for (let i=0;i<links.length;i++) count++;
  seen.push(count);
  top.postMessage({ seen: seen.join('|') }, '*');
</script>`;
