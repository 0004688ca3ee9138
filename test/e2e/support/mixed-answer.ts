/** A long answer with every construct of Markdown, at least `length` characters, always the same. */
export function mixedAnswer(length: number): string {
  const parts = ['The first paragraph, in which the reader has begun to select a few words.\n\n'];
  for (let part = 1, size = 0; size < length; part++) {
    const text = section(part);
    parts.push(text);
    size += text.length;
  }
  return parts.join('');
}

const section = (part: number): string => `## Part ${String(part)}

Orders grew by **${String(part)} %**, says [the log](https://ops.example/${String(part)}), and _almost_ all of it is \`TR40-${String(part)}\`.
A second line of the same paragraph, with ~~old~~ words and a footing.

- One of part ${String(part)}
- Two, with **weight**
  1. An inner one
  2. Another
- [x] Three, done

| Product | Orders | Share |
| :-- | --: | :-: |
| Trail ${String(part)} | 1,310 | 18.9 % |
| Ridge | 842 | 2.0 % |

> Said by Mara: it is the buckle.
> And nothing else.

\`\`\`ts
const part = ${String(part)};
for (const order of orders) console.log(order.id, part);
\`\`\`

---

`;
