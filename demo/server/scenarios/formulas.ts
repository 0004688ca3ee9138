import type { Step } from '../step.ts';

/** An order quantity with its formulas, and an amount of money that is not a formula. */
export const formulas: readonly Step[] = [
  {
    type: 'text',
    text: String.raw`The **economic order quantity** weighs the cost of ordering against that of storing. With $D$ tents a year, \(K\) per order and $h$ per tent and year, the yearly cost of orders of $q$ tents is

$$
C(q) = \frac{K D}{q} + \frac{h q}{2}
$$

It is least where its slope is zero:

\[
\frac{dC}{dq} = -\frac{K D}{q^2} + \frac{h}{2} = 0
\quad\Rightarrow\quad
q^* = \sqrt{\frac{2 K D}{h}}
\]

| Cost | Value |
| :-- | --: |
| An order, $K$ | $90 |
| Storing a tent, $h$ | $5 |

At $90 an order and $5 a tent, 842 tents a year make $q^* = \sqrt{2 \cdot 90 \cdot 842 / 5} \approx 174$.
`,
  },
];
