// Games in words: what wins, and how to play.

import { list, t } from './i18n.js';
import { BOARDS, extent, OTHER_GAMES, parseRules } from './rules.js';

/** @import { Rules } from './rules.js' */

/** Lists of more lines than this are not written out. */
const MAX_WRITTEN_LINES = 12;

/**
 * What wins, in a sentence.
 * @param {string} text
 */
export function goalText(text) {
  const board = BOARDS.find(({ rules }) => rules === text);
  if (board) return t(`game.${board.id}.goal`);
  const other = OTHER_GAMES[text];
  return other ? t(other.about) : goal(parseRules(text))[0];
}

/**
 * How to play, sentence by sentence.
 * @param {string} text
 */
export function howToPlay(text) {
  const rules = parseRules(text);
  return [...turns(rules), ...goal(rules), ...ends(rules), ...restrictions(rules), ...names(rules)];
}

/**
 * What a turn is.
 * @param {Rules} rules
 */
function turns({ wild, order, notakto, players, gravity, levels, stones, fade, ultimate }) {
  const kind = wild || order ? 'any' : notakto ? 'one' : 'own';
  return sentences(
    players > 2 && t('how.players', { count: players }),
    t(`how.turns.${kind}`),
    gravity && t(levels > 1 ? 'how.gravityLevels' : 'how.gravity'),
    stones > 1 && t('how.stones', { count: stones }),
    fade > 0 && [t('how.fade', { count: fade }), t('how.fadeFree')],
    ultimate && [t('how.nested'), t('how.nestedClosed')],
  );
}

/**
 * What wins, or loses.
 * @param {Rules} rules
 */
function goal(rules) {
  const { k, misere, wild, order, notakto, ultimate, lines, exact, wrap, levels } = rules;
  const [isLines, isOnBoards] = [lines !== '', extent(rules).levels > 1];
  const written = lines.slice(1, -1).split(',');
  const say = () => {
    if (ultimate) return [t('how.nestedSmall', { k }), t(misere ? 'how.nestedLoses' : 'how.nestedWins', { k })];
    if (notakto) return isOnBoards ? [t('how.closed', { k }), t('how.lastBoard')] : [t('how.completesLoses', { k })];
    if (order) return [t('how.order', { k }), t('how.chaos')];
    if (isLines) return [t(misere ? 'how.linesLose' : 'how.linesWin')];
    if (wild) return [t(misere ? 'how.sameLoses' : 'how.sameWins', { k })];
    return [t(misere ? 'how.loses' : 'how.wins', { k })];
  };
  return sentences(
    say(),
    isLines && written.length <= MAX_WRITTEN_LINES && t('how.lines', { lines: list(written) }),
    !isLines && k > 1 && t(levels > 1 ? 'how.directionsLevels' : 'how.directions'),
    exact && t('how.exact'),
    wrap && t('how.wrap'),
  );
}

/**
 * When nobody wins.
 * @param {Rules} rules
 */
function ends(rules) {
  const { ultimate, order, notakto, fade, players } = rules;
  if (ultimate) return [t('how.nestedDraw')];
  if (order || notakto) return [];
  const { rows, cols, levels } = extent(rules);
  const isEverFull = fade === 0 || fade * players >= rows * cols * levels;
  return sentences(isEverFull && t('how.full'), fade > 0 && t('how.repetition'));
}

/**
 * What is not allowed, and how the game begins.
 * @param {Rules} rules
 */
const restrictions = ({ renju, opening }) => sentences(renju && t('how.renju'), opening && t(`how.${opening}`));

/**
 * How squares are named.
 * @param {Rules} rules
 */
const names = ({ levels, boards }) => sentences(t('how.names'), levels > 1 && t('how.namesLevels'), boards > 1 && t('how.namesBoards'));

/**
 * @param {...(string | false | string[])} said
 * @returns {string[]}
 */
const sentences = (...said) => said.flat().filter((sentence) => typeof sentence === 'string' && sentence !== '').map(String);
