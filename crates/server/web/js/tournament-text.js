// What is said about tournaments in lists and on their screens.

import { language, t } from './i18n.js';
import { rulesName } from './rules.js';
import { durationText } from './text.js';

/** @import { TimeControl, TournamentFormat, TournamentSummary, TournamentView } from './api' */

/**
 * @param {TournamentFormat} format
 */
export function formatText(format) {
  switch (format.type) {
    case 'arena': return t('tournament.arenaOf', { count: format.minutes });
    case 'round_robin': return t(format.cycles === 2 ? 'tournament.doubleRoundRobin' : 'tournament.roundRobin');
    case 'swiss': return t('tournament.swissOf', { count: format.rounds });
  }
}

/**
 * @param {TimeControl} clock
 */
const clockText = ({ initial_ms: initial, increment_ms: increment }) =>
  (increment ? t('lobby.clock', { time: durationText(initial), seconds: increment / 1000 }) : durationText(initial));

/**
 * A moment as people write it.
 * @param {number} at
 */
export const momentText = (at) => new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });

/**
 * What a tournament is: format, game, time and so on.
 * @param {TournamentSummary | TournamentView} tournament
 */
export const factsText = ({ format, rules, clock, league }) =>
  [formatText(format), rulesName(rules), clockText(clock), t(league ? 'play.rated' : 'play.casual')].join(' · ');
