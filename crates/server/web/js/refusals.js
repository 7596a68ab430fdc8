// Why the server refused something, in the words of the page.

import { t } from './i18n.js';

/** @import { ErrorBody, ErrorCode } from './api' */
/** @import { MessageKey } from './i18n.js' */

/**
 * Codes that people meet. The server has a sentence for each code, in English and for programs, too.
 * @type {Partial<Record<ErrorCode | 'offline', MessageKey>>}
 */
const REFUSALS = {
  taken: 'refused.taken',
  floating: 'refused.floating',
  off_board: 'refused.offBoard',
  closed_board: 'refused.closedBoard',
  other_board: 'refused.otherBoard',
  which_mark: 'refused.whichMark',
  no_choice_of_mark: 'refused.noChoiceOfMark',
  forbidden: 'refused.forbidden',
  choice_due: 'refused.choiceDue',
  no_choice_due: 'refused.noChoiceDue',
  not_your_turn: 'refused.notYourTurn',
  not_a_player: 'refused.notAPlayer',
  game_over: 'refused.gameOver',
  not_started: 'refused.notStarted',
  sign_in_needed: 'refused.signedOut',
  bad_token: 'refused.signedOut',
  offline: 'refused.offline',
};

/**
 * Why something was refused.
 * @param {{ code: ErrorBody['code'] | 'offline', message: string }} error
 */
export function refusalText({ code, message }) {
  const key = REFUSALS[code];
  return key ? t(key) : message;
}
