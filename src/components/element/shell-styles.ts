import avatar from '../message/styles/avatar.css?inline';
import base from '../../theme/base.css?inline';
import composer from '../composer/composer.css?inline';
import { createStylesheet } from '../../theme/stylesheet.ts';
import header from '../header/header.css?inline';
import launcher from '../panel/launcher.css?inline';
import panel from '../panel/panel.css?inline';
import shell from './shell.css?inline';
import tokens from '../../theme/tokens.css?inline';
import transcript from '../transcript/transcript.css?inline';

/** The styles of the empty widget's parts: one stylesheet, because they always come together. */
const parts = [shell, panel, header, transcript, composer, launcher].join('');

/** The stylesheets of the idle widget, in cascade order. */
export const shellStyles = [tokens, base, avatar, parts].map(createStylesheet);
