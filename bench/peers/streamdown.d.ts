/** The part of streamdown that the bench uses. */
import type { Element } from 'react';

export function Streamdown(props: { readonly children: string; readonly isAnimating?: boolean }): Element;
