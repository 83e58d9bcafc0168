/// The version of this program, as `--version`, the status and the User-Agent tell it.
package let soteriadVersion = "0.1.0"
