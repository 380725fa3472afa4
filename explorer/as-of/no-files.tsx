/** Some hosts only have the files of the newest publication. */
export function NoFiles() {
  return <p class="note">The files of this publication are not on this host.</p>;
}
