/**
 * Names that a framework counts or hashes: they change at the next release or the next rendering, so no locator may
 * rest on them.
 */
const GENERATED = [
  /^:[a-z]?[0-9a-z]*:/i, // React useId: ":r3:", ":R1ab:"
  /^[«_]r_?[0-9a-z]+[»_]/i, // React 19: "«r3»", "_r_15p_"
  /^(?:ember|ext-gen|yui_|gwt-uid-|dijit_|cdk-|ng-|v-|vue-|svelte-)[a-z_-]*[0-9]+/i,
  /^(?:mui|radix|headlessui|chakra|react-aria|react-select|rc|ant|mantine|floating-ui|tippy|popper|downshift|bits|reka|base-ui|select2|jquery|ui-id)\b.*[0-9:]/i,
  /[-_:]r(?=[a-z]*[0-9])[0-9a-z]{1,4}:?$/i, // counters: "dialog-r1p"
  /[-_:][0-9]{3,}(?:$|[-_:])/, // "combobox-button-3123", "textfield-1023-inputEl"
  /^(?:mat-[a-z-]+|input|el-id|rc_[a-z]+_?|formkit-[a-z-]*|textfield|gwt)[-_]?[0-9]/i, // counted by component
  /^(?:j_idt|p[nr]_id_|__BVID_|cke_|wicket)[0-9_]/i,
  /^id(?=[a-f]*[0-9])[0-9a-f]+$/i, // Wicket: "id1a"
  /^(?:css|sc|jss|emotion|makeStyles|tw)-(?=[a-z]*[0-9])[0-9a-z]{4,}/i,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i,
  /[0-9]{5,}/,
  /(?:^|[-_])(?=[a-f]*[0-9])[0-9a-f]{8,}(?:$|[-_])/i,
  /^[0-9]+$/,
];

/** All patterns above need a digit or one of these at the start: most names have neither. */
const MAY_BE_GENERATED = /[0-9]|^[:«_]/;

/** Whether `name` (an id, a name or a class) looks made by a machine rather than chosen by a person. */
export function isGeneratedName(name: string): boolean {
  return (
    name.trim() === '' ||
    name.length > 100 ||
    (MAY_BE_GENERATED.test(name) && (GENERATED.some((pattern) => pattern.test(name)) || looksRandom(name)))
  );
}

/** A single part that mixes cases and digits back and forth, as hashes do and words do not: "aB3xZ9qL". */
function looksRandom(name: string): boolean {
  return name.split(/[-_.:/\s]+/).some((part) => {
    if (part.length < 7 || !/[0-9]/.test(part)) {
      return false;
    }
    const changes = part.match(/[0-9][A-Za-z]/g)?.length ?? 0;
    return changes >= 2;
  });
}
