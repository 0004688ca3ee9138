/** What the bench uses of streamdown. */
import type { Element } from 'react';

export function Streamdown(props: { readonly children: string; readonly isAnimating?: boolean }): Element;
