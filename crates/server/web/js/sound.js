// Sounds, synthesised in the browser, and vibration on phones.

import { load, save } from './page.js';

/** @import { Material } from './pieces.js' */

const MASTER_GAIN = 0.4;

/** The other side sounds four half-tones lower. */
const OPPONENT_PITCH = 2 ** (-4 / 12);

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether sounds are on: as chosen, or else unless the system asks for less motion. */
export const isSoundOn = () => load('sound', !calm.matches);

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * @param {() => void} listener
 */
export function onSoundChange(listener) {
  listeners.add(listener);
}

export function toggleSound() {
  save('sound', !isSoundOn());
  for (const listener of listeners) listener();
  if (isSoundOn()) play('place', { material: 'stones' });
}

/** @type {AudioContext | null} */
let context = null;
/** @type {GainNode | null} */
let master = null;

/** Whether the page was used: before, browsers allow no sounds, and would play them all at the first press. */
const wasPressed = () => navigator.userActivation?.hasBeenActive ?? true;

/** The context, once the page was used. */
function audio() {
  if (!context) {
    context = new AudioContext();
    master = context.createGain();
    master.gain.value = MASTER_GAIN;
    master.connect(context.destination);
  }
  if (context.state === 'suspended') context.resume().catch(() => {});
  return { context, master: /** @type {GainNode} */ (master) };
}

/**
 * A tone that fades out.
 * @param {number} hertz
 * @param {{ at?: number, seconds?: number, type?: OscillatorType, to?: number, gain?: number }} [shape]
 */
function tone(hertz, { at = 0, seconds = 0.12, type = 'sine', to = hertz, gain = 0.5 } = {}) {
  const { context, master } = audio();
  const start = context.currentTime + at;
  const oscillator = new OscillatorNode(context, { type, frequency: hertz });
  const envelope = new GainNode(context, { gain: 0 });
  oscillator.frequency.setValueAtTime(hertz, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + seconds);
  envelope.gain.setValueAtTime(gain, start);
  envelope.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  oscillator.connect(envelope).connect(master);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

/**
 * A stroke of a pencil: noise through a band-pass filter.
 * @param {number} at
 * @param {number} pitch
 */
function stroke(at, pitch) {
  const { context, master } = audio();
  const seconds = 0.09;
  const buffer = new AudioBuffer({ length: Math.ceil(seconds * context.sampleRate), sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * Math.sin((Math.PI * i) / samples.length);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new BiquadFilterNode(context, { type: 'bandpass', frequency: 1800 * pitch, Q: 0.8 })).connect(master);
  source.start(context.currentTime + at);
}

/** @typedef {'place' | 'win' | 'lose' | 'draw' | 'bell' | 'refused' | 'tick'} Sound */

/**
 * Plays a sound, if sounds are on.
 * @param {Sound} sound
 * @param {{ material?: Material, isOpponent?: boolean, after?: number }} [options] `after` in seconds
 */
export function play(sound, { material = 'paper', isOpponent = false, after = 0 } = {}) {
  if (!isSoundOn() || !('AudioContext' in window) || !wasPressed()) return;
  const pitch = isOpponent ? OPPONENT_PITCH : 1;
  const melody = (/** @type {number[]} */ notes, seconds = 0.35, gap = 0.11) => notes.forEach((note, i) => tone(note, { at: after + i * gap, seconds }));
  switch (sound) {
    case 'place':
      if (material === 'paper') [0, 0.11].forEach((at) => stroke(after + at, pitch));
      else if (material === 'stones') tone(900 * pitch, { at: after, to: 380 * pitch, seconds: 0.06 });
      else [[0.25, 0.5], [0.34, 0.18]].forEach(([at, gain]) => tone(220 * pitch, { at: after + at, type: 'triangle', seconds: 0.07, gain }));
      break;
    case 'win':
      melody([523, 659, 784]);
      break;
    case 'lose':
      melody([392, 330]);
      break;
    case 'draw':
      melody([440, 440]);
      break;
    case 'bell':
      melody([660, 880], 0.12, 0.12);
      break;
    case 'refused':
      tone(140, { seconds: 0.08, type: 'triangle' });
      break;
    case 'tick':
      tone(1000, { seconds: 0.015, gain: 0.3 });
      break;
  }
}

/**
 * Vibrates a phone, unless that is switched off.
 * @param {number | number[]} pattern
 */
export function vibrate(pattern) {
  if (load('vibration', true) && !calm.matches) navigator.vibrate?.(pattern);
}
