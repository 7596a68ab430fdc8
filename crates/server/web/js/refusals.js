// Why the server refused something, in the words of the page.

import { hasMessage, t } from './i18n.js';

/** @import { ErrorBody } from './api' */

/**
 * Why something was refused. The server's own sentence is for programs.
 * @param {{ code: ErrorBody['code'] | 'offline' }} error
 */
export const refusalText = ({ code }) => (hasMessage(`error.${code}`) ? t(`error.${code}`) : t('error.unknown'));
