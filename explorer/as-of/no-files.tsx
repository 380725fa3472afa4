/** A host may have the files of the newest publication alone. */
export function NoFiles() {
  return <p class="note">The files of this publication are not on this host.</p>;
}
