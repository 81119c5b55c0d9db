/** Counts tokens, in a blank page: loading it costs more than most of what is measured. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

globalThis.countTokens = (text) => encode(text).length;
