import avatar from '../message/styles/avatar.css?inline';
import base from '../../theme/base.css?inline';
import { createStylesheet } from '../../theme/stylesheet.ts';
import shell from './shell.css?inline';
import tokens from '../../theme/tokens.css?inline';

/** The stylesheets of the idle widget, in cascade order. */
export const shellStyles = [tokens, base, avatar, shell].map(createStylesheet);
