/** The attributes that tell elements apart, in the order in which a locator trusts them. */

export const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'data-pw'];

/** Attributes that stay when the language changes, then those that are words of a language. Both ranked. */
export const LASTING = ['name', 'href', 'for', 'aria-controls', 'data-action', 'data-bs-target', 'autocomplete'];
export const WORDED = ['aria-label', 'placeholder', 'title', 'alt'];
